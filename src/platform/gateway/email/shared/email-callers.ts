import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Caller, CredentialsAreNotValid } from '#libs/auth';
import { Callers } from '../../access/callers.js';
import { accessOf } from '../../access/current-access.js';
import { actorOfAttribution, actorOfCaller, type AuditActor } from '../../audit/gateway-audit.js';

/** Who reads or changes mail of one organization. */
export interface EmailCaller {
  readonly organizationId: string;
  /** Of a service: it sees only messages that it sent. null: a person or an API key, who sees those of all applications. */
  readonly applicationId: string | null;
  readonly actor: AuditActor;
}

/** On routes of `EmailCallers` and `OrganizationCallers`. */
export const CurrentEmailCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): EmailCaller => {
    const request = context.switchToHttp().getRequest<Request & { user?: Caller }>();
    const { organizationId, attribution } = accessOf(request);
    if (attribution)
      return {
        organizationId,
        applicationId: attribution.applicationId,
        actor: actorOfAttribution(attribution),
      };
    if (!request.user) throw new CredentialsAreNotValid();
    return { organizationId, applicationId: null, actor: actorOfCaller(request.user) };
  },
);

/** For services with the capability `email`, and for people and API keys that manage the mail of their organization. */
export const EmailCallers = () => Callers({ services: 'email', people: 'org.admin' });
