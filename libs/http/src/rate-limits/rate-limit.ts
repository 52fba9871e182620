import { type CustomDecorator, SetMetadata } from '@nestjs/common';

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
