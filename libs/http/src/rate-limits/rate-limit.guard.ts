import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { addressOf, automatedOrganizationOf, principalOf } from '../context/principal.js';
import { HttpConfig } from '../service/http.config.js';
import type { Allowance } from './leased-counter.js';
import { writeLimitHeaders } from './limit-headers.js';
import { limitReached } from './limit-reached.js';
import type { RateLimitPolicy } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';
import { RouteLimits } from './route-limits.js';

/**
 * Counts every request of a caller against the limit for all routes, that of the organization it automates, and the
 * route's own, in this order: what one caller sends too much is not taken from the others. Runs after authentication.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly everywhere: readonly RateLimitPolicy[];

  constructor(
    private readonly routes: RouteLimits,
    private readonly limits: RateLimits,
    { rateLimitPerMinute, rateLimitPerOrganization }: HttpConfig,
  ) {
    const policies: RateLimitPolicy[] = [
      { name: 'default', limit: rateLimitPerMinute, windowSeconds: 60 },
      { name: 'organization', limit: rateLimitPerOrganization, windowSeconds: 60, by: 'organization' },
    ];
    this.everywhere = policies.filter(({ limit }) => limit > 0);
  }

  /** Without a promise while leases last: most requests need not wait a turn for it. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const { isUnlimited, own } = this.routes.of(context);
    if (isUnlimited) return true;
    const policies = own ? [...this.everywhere, own] : this.everywhere;
    return this.count(policies, http.getRequest<Request>(), http.getResponse<Response>());
  }

  private count(
    [policy, ...rest]: readonly RateLimitPolicy[],
    request: Request,
    response: Response,
  ): boolean | Promise<boolean> {
    if (!policy) return true;
    const whose = whoseOf(policy, request);
    if (whose === undefined) return this.count(rest, request, response);
    const proceed = (allowance: Allowance) => {
      writeLimitHeaders(response, policy, allowance);
      if (!allowance.allowed) throw limitReached(policy, allowance);
      return this.count(rest, request, response);
    };
    const taken = this.limits.take(policy, whose);
    return taken instanceof Promise ? taken.then(proceed) : proceed(taken);
  }
}

function whoseOf({ by }: RateLimitPolicy, request: Request): string | undefined {
  if (by === 'organization') return automatedOrganizationOf(request);
  return by === 'address' ? addressOf(request) : principalOf(request);
}
