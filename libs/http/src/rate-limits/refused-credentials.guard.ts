import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { surfaceOf } from '../boundary/surface.js';
import { addressOf } from '../context/principal.js';
import { HttpConfig } from '../service/http.config.js';
import { limitReached } from './limit-reached.js';
import type { RateLimitPolicy } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';
import { RouteLimits } from './route-limits.js';

/** The part of a caller's limit that an address may waste on credentials that are refused. */
const SHARE = 10;

const WATCHED = Symbol('credentials are watched');
type Watched = Request & { [WATCHED]?: boolean };

/**
 * Turns an address away, before its credentials are looked at, that sent too many wrong ones: each costs a
 * call to identity, and whoever guesses should not be served. Runs before authentication. Probes, internal
 * routes and those that are never limited, such as identity's own validation, go on and do not count.
 */
@Injectable()
export class RefusedCredentialsGuard implements CanActivate {
  private readonly policy: RateLimitPolicy | undefined;

  constructor(
    private readonly limits: RateLimits,
    private readonly routes: RouteLimits,
    config: HttpConfig,
  ) {
    const limit = Math.ceil(config.rateLimitPerMinute / SHARE);
    if (limit > 0) this.policy = { name: 'refused-credentials', limit, windowSeconds: 60, by: 'address' };
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Watched>();
    if (!this.policy || surfaceOf(request) === 'management' || this.routes.of(context).isUnlimited)
      return true;
    request[WATCHED] = true;
    const spent = this.limits.spent(this.policy, addressOf(request));
    if (spent) throw limitReached(this.policy, spent);
    return true;
  }

  /** For the filter, on every 401. Counters that cannot be reached are no reason to fail the answer. */
  count(request: Watched): void {
    if (!this.policy || !request[WATCHED]) return;
    void Promise.resolve(this.limits.take(this.policy, addressOf(request))).catch(() => undefined);
  }
}
