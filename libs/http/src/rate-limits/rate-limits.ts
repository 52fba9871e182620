import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Response } from 'express';
import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { Database } from '#libs/database';
import { ServiceInfo } from '../context/request-context.js';
import { HttpProblem } from '../problems/problem.js';
import { type Allowance, LeasedCounter, leasesOf } from './leased-counter.js';
import { limitReached, type RateLimitPolicy, writeLimitHeaders } from './rate-limit.js';

/** The counters of all limits; shared over replicas through PostgreSQL where the service has a database. */
@Injectable()
export class RateLimits {
  private readonly counters = new Map<string, LeasedCounter>();

  constructor(
    private readonly info: ServiceInfo,
    @Optional() @Inject(Database) private readonly database?: Database,
  ) {}

  /** Counts one request, or so many together. */
  take(policy: RateLimitPolicy, subject: string, requests = 1): Allowance | Promise<Allowance> {
    return this.counterOf(policy).take(subject, requests);
  }

  /** For a request that was counted and did nothing. @returns gives it back, within the window in which it was taken */
  givingBack(policy: RateLimitPolicy, subject: string): () => void {
    const takenAt = performance.now();
    return () => this.counterOf(policy).giveBack(subject, takenAt, policy.windowSeconds * 1_000);
  }

  /** The refusal, if this process knows that nothing is left. Counts nothing and sends no query. */
  spent(policy: RateLimitPolicy, subject: string): Allowance | undefined {
    return this.counterOf(policy).spent(subject);
  }

  private counterOf(policy: RateLimitPolicy): LeasedCounter {
    const known = this.counters.get(policy.name);
    if (known) return known;
    const { size, count } = leasesOf(policy.limit);
    // Services may share a database but not their counters.
    const keyPrefix = `${this.info.name}:${policy.name}`;
    const options = { keyPrefix, points: count, duration: policy.windowSeconds };
    const store = this.database ? this.shared(this.database, options) : new RateLimiterMemory(options);
    const counter = new LeasedCounter(store, size, () => performance.now());
    this.counters.set(policy.name, counter);
    return counter;
  }

  /** Each process counts on its own while the counters are unreachable. */
  private shared(database: Database, options: IRateLimiterOptions): RateLimiterPostgres {
    return new RateLimiterPostgres({
      ...options,
      storeClient: database.pool,
      storeType: 'pool',
      schemaName: 'http',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    });
  }
}

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
