import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { addressOf, principalOf } from '../context/principal.js';
import { HttpConfig } from '../service/http.config.js';
import type { Allowance } from './leased-counter.js';
import { limitReached } from './limit-reached.js';
import type { RateLimitPolicy } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';
import { RouteLimits } from './route-limits.js';

/** Counts every request of a caller against the limit for all routes and the route's own. Runs after authentication. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly everywhere: RateLimitPolicy | undefined;

  constructor(
    private readonly routes: RouteLimits,
    private readonly limits: RateLimits,
    config: HttpConfig,
  ) {
    const limit = config.rateLimitPerMinute;
    this.everywhere = limit === 0 ? undefined : { name: 'default', limit, windowSeconds: 60 };
  }

  /** Without a promise while leases last: most requests need not wait a turn for it. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const { isUnlimited, own } = this.routes.of(context);
    if (isUnlimited) return true;
    const policies = [this.everywhere, own].filter((policy) => policy !== undefined);
    return this.count(policies, http.getRequest<Request>(), http.getResponse<Response>());
  }

  private count(
    [policy, ...rest]: readonly RateLimitPolicy[],
    request: Request,
    response: Response,
  ): boolean | Promise<boolean> {
    if (!policy) return true;
    const proceed = (allowance: Allowance) => {
      writeHeaders(response, policy, allowance);
      if (!allowance.allowed) throw limitReached(policy, allowance);
      return this.count(rest, request, response);
    };
    const whose = policy.by === 'address' ? addressOf(request) : principalOf(request);
    const taken = this.limits.take(policy, whose);
    return taken instanceof Promise ? taken.then(proceed) : proceed(taken);
  }
}

/** The IETF draft's fields (draft-ietf-httpapi-ratelimit-headers-11) and those that older clients read. */
function writeHeaders(
  response: Response,
  policy: RateLimitPolicy,
  { remaining, resetSeconds }: Allowance,
): void {
  response.setHeader('RateLimit-Policy', `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`);
  response.setHeader('RateLimit', `"${policy.name}";r=${remaining};t=${resetSeconds}`);
  response.setHeader('X-RateLimit-Limit', policy.limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetSeconds);
}
