import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CredentialsAreNotValid } from '#libs/auth';
import type { Attribution } from './attribution.js';
import { ServiceIsNotAuthenticated } from './caller.errors.js';

/** What the guard of callers found out about a request. */
export interface Access {
  readonly organizationId: string;
  /** null: the call of a person or an API key that no usage row names. */
  readonly attribution: Attribution | null;
}

const ACCESS = Symbol('access');

type Accessed = Request & { [ACCESS]?: Access };

export function setAccess(request: Request, access: Access): void {
  (request as Accessed)[ACCESS] = access;
}

export function accessOf(request: Request): Access {
  const access = (request as Accessed)[ACCESS];
  if (!access) throw new CredentialsAreNotValid();
  return access;
}

/** Only on routes of `ServiceCallers` and `AiCallers`. */
export function attributionOf(request: Request): Attribution {
  const attribution = (request as Accessed)[ACCESS]?.attribution;
  if (!attribution) throw new ServiceIsNotAuthenticated();
  return attribution;
}

/** On whose behalf this request is made; only on routes of `ServiceCallers` and `AiCallers`. */
export const CurrentAttribution = createParamDecorator((_: unknown, context: ExecutionContext): Attribution =>
  attributionOf(context.switchToHttp().getRequest<Request>()),
);

/** The organization that this request is about. */
export const CurrentOrganization = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    accessOf(context.switchToHttp().getRequest<Request>()).organizationId,
);
