import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import type { Attribution } from './attribution.js';
import { ServiceIsNotAuthenticated } from './caller.errors.js';

const ATTRIBUTION = Symbol('attribution');

type Attributed = Request & { [ATTRIBUTION]?: Attribution };

export function setAttribution(request: Request, attribution: Attribution): void {
  (request as Attributed)[ATTRIBUTION] = attribution;
}

/** Only on routes of `ServiceCallers` and `AiCallers`. */
export function attributionOf(request: Request): Attribution {
  const attribution = (request as Attributed)[ATTRIBUTION];
  if (!attribution) throw new ServiceIsNotAuthenticated();
  return attribution;
}

/** On whose behalf this request is made; only on routes of `ServiceCallers` and `AiCallers`. */
export const CurrentAttribution = createParamDecorator((_: unknown, context: ExecutionContext): Attribution =>
  attributionOf(context.switchToHttp().getRequest<Request>()),
);
