import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { addressOf, automatedOrganizationOf, principalOf } from '../context/principal.js';
import { HttpConfig } from '../context/http.config.js';
import type { Allowance } from './leased-counter.js';
import { limitReached, type RateLimitPolicy, writeLimitHeaders } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';
import { RouteLimits } from './route-limits.js';

interface Counted {
  readonly request: Request;
  /** As how many it counts. */
  readonly requests: number;
}

/**
 * Counts every request against the caller's limit for all routes, its organization's limit for automations and the limit of
 * the route, in this order: a refused caller does not use up the limits it shares. Runs after authentication.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly globalPolicies: readonly RateLimitPolicy[];

  constructor(
    private readonly routes: RouteLimits,
    private readonly limits: RateLimits,
    { rateLimitPerMinute, rateLimitPerOrganization }: HttpConfig,
  ) {
    const policies: RateLimitPolicy[] = [
      { name: 'default', limit: rateLimitPerMinute, windowSeconds: 60 },
      { name: 'organization', limit: rateLimitPerOrganization, windowSeconds: 60, by: 'organization' },
    ];
    this.globalPolicies = policies.filter(({ limit }) => limit > 0);
  }

  /** Synchronous while leases last, so that most requests do not wait a turn. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const { isUnlimited, own, weight } = this.routes.of(context);
    if (isUnlimited) return true;
    const policies = own ? [...this.globalPolicies, own] : this.globalPolicies;
    const request = http.getRequest<Request>();
    const counted = { request, requests: weight?.(request.body) ?? 1 };
    return this.count(policies, counted, http.getResponse<Response>());
  }

  private count(
    [policy, ...rest]: readonly RateLimitPolicy[],
    counted: Counted,
    response: Response,
  ): boolean | Promise<boolean> {
    if (!policy) return true;
    const subject = subjectOf(policy, counted.request);
    if (subject === undefined) return this.count(rest, counted, response);
    const proceed = (allowance: Allowance) => {
      writeLimitHeaders(response, policy, allowance);
      if (!allowance.allowed) throw limitReached(policy, allowance);
      return this.count(rest, counted, response);
    };
    const taken = this.limits.take(policy, subject, counted.requests);
    return taken instanceof Promise ? taken.then(proceed) : proceed(taken);
  }
}

function subjectOf({ by }: RateLimitPolicy, request: Request): string | undefined {
  if (by === 'organization') return automatedOrganizationOf(request);
  return by === 'address' ? addressOf(request) : principalOf(request);
}
