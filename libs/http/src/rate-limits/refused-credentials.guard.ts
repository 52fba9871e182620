import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { listenerOf } from '../boundary/listener.js';
import { addressOf } from '../context/principal.js';
import { HttpConfig } from '../context/http.config.js';
import type { Problem } from '../problems/problem.js';
import { limitReached, type RateLimitPolicy } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';
import { RouteLimits } from './route-limits.js';

/** An address may send a tenth of a caller's limit with refused credentials. */
const LIMIT_DIVISOR = 10;

const WATCHED = Symbol('credentials are watched');
type Watched = Request & { [WATCHED]?: boolean };

/**
 * Counts wrong credentials by address and answers 429 to those over the limit. Accepted credentials always pass, because many
 * people share an address. Runs before authentication. Does not apply to probes, internal routes and routes without limits,
 * such as identity's validation.
 */
@Injectable()
export class RefusedCredentialsGuard implements CanActivate {
  private readonly policy: RateLimitPolicy | undefined;

  constructor(
    private readonly limits: RateLimits,
    private readonly routes: RouteLimits,
    config: HttpConfig,
  ) {
    const limit = Math.ceil(config.rateLimitPerMinute / LIMIT_DIVISOR);
    if (limit > 0) this.policy = { name: 'refused-credentials', limit, windowSeconds: 60, by: 'address' };
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Watched>();
    if (!this.policy || listenerOf(request) === 'management' || this.routes.of(context).isUnlimited)
      return true;
    request[WATCHED] = true;
    return true;
  }

  /** Called by the filter with every 401. @returns what is sent; unreachable counters do not delay or fail it */
  answerTo(request: Watched, refusal: Problem): Problem {
    if (!this.policy || !request[WATCHED]) return refusal;
    const spent = this.limits.spent(this.policy, addressOf(request));
    if (spent) return limitReached(this.policy, spent);
    void Promise.resolve(this.limits.take(this.policy, addressOf(request))).catch(() => undefined);
    return refusal;
  }
}
