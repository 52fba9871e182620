import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, createParamDecorator, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller, Scope } from '#libs/auth';
import { AcceptsApiKey, CredentialsAreNotValid, organizationFor, ScopeIsMissing } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, problemResponses } from '#libs/http';
import { OrganizationIsMissing } from './caller.errors.js';
import { organizationHeader } from './documented-headers.js';
import { uuidIn } from './headers.js';

const SCOPE = 'gateway:scope';
const ORGANIZATION = Symbol('organization');

type InOrganization = Request & { user?: Caller; [ORGANIZATION]?: string };

/** The organization of X-Organization-Id; undefined without the header. @throws OrganizationIsMissing */
export function organizationNamedIn(request: Request): string | undefined {
  if (request.header('x-organization-id') === undefined) return undefined;
  const named = uuidIn(request, 'x-organization-id');
  if (named === null) throw new OrganizationIsMissing();
  return named;
}

/**
 * The organization of X-Organization-Id, or the only one that grants the scope.
 * @throws OrganizationIsMissing, OrganizationNotFound, ScopeIsMissing
 */
export function organizationOfRequest(request: Request, caller: Caller, scope: Scope): string {
  const named = organizationNamedIn(request);
  if (named !== undefined) return organizationFor(caller, scope, named);
  const granting = caller.organizations.filter(
    ({ id }) => caller.may(scope, { organizationId: id }) === 'yes',
  );
  const [only, ...others] = granting;
  if (!only) throw new ScopeIsMissing([scope]);
  if (others.length > 0) throw new OrganizationIsMissing();
  return organizationFor(caller, scope, only.id);
}

@Injectable()
export class OrganizationCallerGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws as `organizationOfRequest` */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<InOrganization>();
    if (!request.user) throw new CredentialsAreNotValid();
    const targets = [context.getHandler(), context.getClass()];
    const scope = this.reflector.getAllAndOverride<Scope>(SCOPE, targets);
    request[ORGANIZATION] = organizationOfRequest(request, request.user, scope);
    return true;
  }
}

/** The organization of a route of `OrganizationCallers`. */
export const CurrentOrganization = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const organizationId = context.switchToHttp().getRequest<InOrganization>()[ORGANIZATION];
  if (organizationId === undefined) throw new CredentialsAreNotValid();
  return organizationId;
});

/**
 * For routes of people and API keys about one organization: that of X-Organization-Id, or their only one with the scope. An
 * organization of others does not exist for the caller (404).
 */
export const OrganizationCallers = (scope: Scope) =>
  applyDecorators(
    SetMetadata(SCOPE, scope),
    AcceptsApiKey(),
    UseGuards(OrganizationCallerGuard),
    ApiBearerAuth(BEARER_AUTH),
    ApiSecurity(API_KEY_AUTH),
    ApiExtension('x-required-scopes', [scope]),
    organizationHeader(false),
    problemResponses(400, 401, 403, 404),
  );
