import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { HttpProblem } from '../problems/problem.js';
import { writeLimitHeaders } from './limit-headers.js';
import { limitReached } from './limit-reached.js';
import type { RateLimitPolicy } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';

/** For routes that are `Unlimited` because only their handlers know which limit holds for a request. */
@Injectable()
export class LimitsOfHandler {
  constructor(private readonly limits: RateLimits) {}

  /**
   * Counts the request. What is left is told with the refusal only: which limit holds may be a secret until then.
   * @param whose requests count together @throws HttpProblem 429 when it is one too many, see `isLimitReached`
   */
  async take(policy: RateLimitPolicy, whose: string, response: Response): Promise<void> {
    const allowance = await this.limits.take(policy, whose);
    if (allowance.allowed) return;
    writeLimitHeaders(response, policy, allowance);
    throw limitReached(policy, allowance);
  }
}

export const isLimitReached = (error: unknown): boolean =>
  error instanceof HttpProblem && error.status === 429;
