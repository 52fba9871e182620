import { Inject, Injectable, Optional } from '@nestjs/common';
import type { IRateLimiterOptions } from 'rate-limiter-flexible';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { Database } from '#libs/database';
import { ServiceInfo } from '../service/service-info.js';
import { LeasedCounter, leasesOf } from './leased-counter.js';
import type { Allowance } from './leased-counter.js';
import type { RateLimitPolicy } from './rate-limit.js';

/** The counters of all limits; shared over replicas through PostgreSQL where the service has a database. */
@Injectable()
export class RateLimits {
  private readonly counters = new Map<string, LeasedCounter>();

  constructor(
    private readonly info: ServiceInfo,
    @Optional() @Inject(Database) private readonly database?: Database,
  ) {}

  /** Counts one request. */
  take(policy: RateLimitPolicy, whose: string): Allowance | Promise<Allowance> {
    return this.counterOf(policy).take(whose);
  }

  /** Whether nothing is left, as far as this process knows; counts nothing and asks nobody. */
  spent(policy: RateLimitPolicy, whose: string): Allowance | undefined {
    return this.counterOf(policy).spent(whose);
  }

  private counterOf(policy: RateLimitPolicy): LeasedCounter {
    const known = this.counters.get(policy.name);
    if (known) return known;
    const { size, count } = leasesOf(policy.limit);
    // Services may share a database, and the leases of one differ from those of another.
    const keyPrefix = `${this.info.name}:${policy.name}`;
    const options = { keyPrefix, points: count, duration: policy.windowSeconds };
    const store = this.database ? this.shared(this.database, options) : new RateLimiterMemory(options);
    const counter = new LeasedCounter(store, size, () => performance.now());
    this.counters.set(policy.name, counter);
    return counter;
  }

  /** While the counters cannot be reached, each process counts for itself. */
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
