import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AuthConfig } from './auth.config.js';
import { ScopeIsMissing } from './auth.errors.js';
import type { Caller, Scope } from './caller.js';
import { SERVICE } from './decorators.js';

/** Slug of the route's service, for the scopes from identity and for challenges. */
export function serviceOf(context: ExecutionContext, reflector: Reflector, config: AuthConfig): string {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<string | undefined>(SERVICE, targets) ?? config.service;
}

const REQUIRED_SCOPES = 'auth:required-scopes';

/** Runs after the global guards, so that refused requests count against the caller's limit. */
@Injectable()
export class ScopesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: AuthConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    const required = this.reflector.getAllAndOverride<Scope[] | undefined>(REQUIRED_SCOPES, targets);
    if (!required?.length) return true;
    const http = context.switchToHttp();
    const { user: caller } = http.getRequest<Request & { user?: Caller }>();
    const granted = caller?.organizations.some(({ scopes }) => required.every((one) => scopes.includes(one)));
    if (granted) return true;
    const realm = serviceOf(context, this.reflector, this.config);
    const challenge = `Bearer realm="${realm}", error="insufficient_scope", scope="${required.join(' ')}"`;
    http.getResponse<Response>().setHeader('WWW-Authenticate', challenge);
    throw new ScopeIsMissing(required);
  }
}

/**
 * Refuses (403 insufficient_scope) callers without an organization that grants all scopes. `Caller.must` checks the
 * organization of the resource later. Documented in OpenAPI as `x-required-scopes`.
 */
export const RequiresScopes = (...scopes: Scope[]): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(REQUIRED_SCOPES, scopes),
    ApiExtension('x-required-scopes', scopes),
    UseGuards(ScopesGuard),
  );
