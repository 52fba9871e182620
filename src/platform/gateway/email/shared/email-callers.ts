import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { applyDecorators, createParamDecorator, Injectable, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller } from '#libs/auth';
import { AcceptsApiKey, AlternativeCredential, CredentialsAreNotValid } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, problemResponses, SERVICE_TOKEN_AUTH } from '#libs/http';
import type { AuditActor } from '../../audit/gateway-audit.js';
import { actorOfAttribution, actorOfCaller } from '../../audit/gateway-audit.js';
import { applicationHeader, organizationHeader, userHeader } from '../../access/documented-headers.js';
import { organizationOfRequest } from '../../access/organization-callers.js';
import { ServiceAuthentication } from '../../access/service-authentication.js';

/** Scope of people and API keys that manage the mail of their organization. */
const ADMINISTER = 'org.admin';

/** Who reads or changes mail of one organization. */
export interface EmailCaller {
  readonly organizationId: string;
  /** Of a service: it sees only messages that it sent. null: a person or an API key, who sees those of all applications. */
  readonly applicationId: string | null;
  readonly actor: AuditActor;
}

const CALLER = Symbol('email caller');
type Called = Request & { user?: Caller; [CALLER]?: EmailCaller };

@Injectable()
export class EmailCallerGuard implements CanActivate {
  constructor(private readonly services: ServiceAuthentication) {}

  /** @throws as `ServiceAuthentication.authenticate` and `organizationOfRequest` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Called>();
    request[CALLER] =
      request.header('x-service-token') === undefined ? personIn(request) : await this.serviceIn(request);
    return true;
  }

  private async serviceIn(request: Request): Promise<EmailCaller> {
    const attribution = await this.services.authenticate(request, 'email');
    const { organizationId, applicationId } = attribution;
    return { organizationId, applicationId, actor: actorOfAttribution(attribution) };
  }
}

function personIn(request: Called): EmailCaller {
  if (!request.user) throw new CredentialsAreNotValid();
  const organizationId = organizationOfRequest(request, request.user, ADMINISTER);
  return { organizationId, applicationId: null, actor: actorOfCaller(request.user) };
}

/** Only on routes of `EmailCallers`. */
export const CurrentEmailCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): EmailCaller => {
    const caller = context.switchToHttp().getRequest<Called>()[CALLER];
    if (!caller) throw new CredentialsAreNotValid();
    return caller;
  },
);

/** For services with the capability `email`, and for people and API keys with the scope `org.admin`. */
export const EmailCallers = () =>
  applyDecorators(
    AlternativeCredential('x-service-token'),
    AcceptsApiKey(),
    UseGuards(EmailCallerGuard),
    ApiBearerAuth(BEARER_AUTH),
    ApiSecurity(API_KEY_AUTH),
    ApiSecurity(SERVICE_TOKEN_AUTH),
    ApiExtension('x-required-scopes', [ADMINISTER]),
    applicationHeader(false),
    organizationHeader(false),
    userHeader(),
    problemResponses(400, 401, 403, 404),
  );
