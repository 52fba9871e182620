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

/** On whose behalf this request is made; only on routes of `ServiceCallers` and `AiCallers`. */
export const CurrentAttribution = createParamDecorator(
  (_: unknown, context: ExecutionContext): Attribution => {
    const attribution = context.switchToHttp().getRequest<Attributed>()[ATTRIBUTION];
    if (!attribution) throw new ServiceIsNotAuthenticated();
    return attribution;
  },
);
