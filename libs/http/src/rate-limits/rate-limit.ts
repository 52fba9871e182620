import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Response } from 'express';
import { HttpProblem } from '../problems/problem.js';
import { textsFor } from '../problems/status-texts.js';
import type { Allowance } from './leased-counter.js';

export interface RateLimitPolicy {
  /** Name in the headers and in the stored counters; unique within a service. */
  readonly name: string;
  /** Requests per window. */
  readonly limit: number;
  readonly windowSeconds: number;
  /**
   * * Whose requests count together. Default: the caller's, or without a caller those of the address. `organization`: those of
   * all automations of one organization; others are not counted.
   */
  readonly by?: 'caller' | 'address' | 'organization';
}

export const RATE_LIMIT = 'http:rate-limit';
export const COUNTS_AS = 'http:counts-as';
export const UNLIMITED = 'http:unlimited';

/** A limit of this route, in addition to the one for all routes. */
export const RateLimit = (policy: RateLimitPolicy): CustomDecorator => SetMetadata(RATE_LIMIT, policy);

/** How many requests a request with this body counts as, from 1. The body is not validated yet. */
export type Weight = (body: unknown) => number;

/** A request of this route counts as several, such as one with a list of things to create. */
export const CountsAs = (weight: Weight): CustomDecorator => SetMetadata(COUNTS_AS, weight);

/** A route that no guard limits, such as a probe, or one whose handler limits it by `LimitsOfHandler`. */
export const Unlimited = (): CustomDecorator => SetMetadata(UNLIMITED, true);

/** The refusal of a request over the limit: IANA's problem type, the policy and when to retry. */
export function limitReached(policy: RateLimitPolicy, { resetSeconds }: Allowance): HttpProblem {
  return new HttpProblem({
    status: 429,
    ...textsFor(429),
    detail: `More than ${policy.limit} requests in ${policy.windowSeconds} seconds. Try again in ${resetSeconds} seconds.`,
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    members: { 'violated-policies': [policy.name] },
    headers: { 'Retry-After': String(resetSeconds) },
  });
}

/** Of several limits, of that of which least is left. The IETF draft's fields (draft-ietf-httpapi-ratelimit-headers-11) and those that older clients read. */
export function writeLimitHeaders(
  response: Response,
  policy: RateLimitPolicy,
  { remaining, resetSeconds }: Allowance,
): void {
  if (remaining > Number(response.getHeader('X-RateLimit-Remaining') ?? Infinity)) return;
  response.setHeader('RateLimit-Policy', `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`);
  response.setHeader('RateLimit', `"${policy.name}";r=${remaining};t=${resetSeconds}`);
  response.setHeader('X-RateLimit-Limit', policy.limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetSeconds);
}
