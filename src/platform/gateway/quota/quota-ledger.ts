import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Attribution } from '../callers/attribution.js';
import type { Bucket, MeteredCall } from './quota-tables.js';
import { QuotaConfig } from './quota.config.js';
import { VideoQuotaIsExhausted } from './quota.errors.js';
import { EXHAUST, LEDGER, RELEASE, RESERVE, SETTLE, TODAY, USED_BY, USED_TODAY } from './quota.sql.js';

/** `refused`: the provider refused the call, which costs as much. `unknown`: its answer was lost. */
export type Settlement = 'done' | 'refused' | 'unknown';

interface Today {
  readonly day: string;
  readonly resets_at: Date;
  /** Until then. */
  readonly seconds: number;
}

interface UsedBucket {
  readonly bucket: Bucket;
  readonly used: number;
  readonly exhausted: boolean;
}

export interface BucketUsage {
  readonly bucket: Bucket;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

export interface CallUsage {
  readonly call: MeteredCall;
  readonly bucket: Bucket;
  readonly calls: number;
  readonly units: number;
}

export interface QuotaUsage {
  readonly project: string;
  readonly day: string;
  readonly resetsAt: Date;
  readonly buckets: readonly BucketUsage[];
  /** Of one application and organization. */
  readonly usage: readonly CallUsage[];
}

/**
 * Quota units of a Google project, which a credential of the provider `youtube` names, over all replicas and by the database's clock. Units are reserved before a call and settled
 * after it. Each statement commits by itself: a process that ends in between leaves a reservation, which a sweep settles.
 */
@Injectable()
export class QuotaLedger {
  constructor(
    private readonly database: Database,
    private readonly config: QuotaConfig,
  ) {}

  /** @returns the id of the reservation @throws VideoQuotaIsExhausted */
  async reserve(call: MeteredCall, { applicationId, organizationId }: Attribution): Promise<string> {
    const { bucket, units } = this.config.costs[call];
    const limit = this.config.limits.get(bucket) ?? 0;
    const id = randomUUIDv7();
    const values = [this.config.project, bucket, units, limit, id, call, applicationId, organizationId];
    const [reserved] = await this.database.query(RESERVE, values);
    if (!reserved) throw await this.exhausted(bucket);
    return id;
  }

  async settle(reservation: string, how: Settlement): Promise<void> {
    await this.database.query(SETTLE, [reservation, how]);
  }

  /** The provider was certainly not asked. */
  async release(reservation: string): Promise<void> {
    await this.database.query(RELEASE, [reservation]);
  }

  /** The provider's answer outweighs what was counted. @returns the error for the caller */
  async exhaust(call: MeteredCall, { organizationId }: Attribution): Promise<VideoQuotaIsExhausted> {
    const { bucket } = this.config.costs[call];
    await this.database.query(EXHAUST, [this.config.project, bucket, organizationId]);
    return this.exhausted(bucket);
  }

  async usageOf({ applicationId, organizationId }: Attribution): Promise<QuotaUsage> {
    const ledger = await this.ledgerOf(organizationId);
    const [project = ''] = ledger.split('@');
    const today = await this.today();
    const used = await this.database.query<UsedBucket>(USED_TODAY, [ledger]);
    const usage = await this.database.query<CallUsage>(USED_BY, [ledger, applicationId, organizationId]);
    const buckets = [...this.config.limits].map(([bucket, limit]) =>
      bucketUsage(
        bucket,
        limit,
        used.find((each) => each.bucket === bucket),
      ),
    );
    return { project, day: today.day, resetsAt: today.resets_at, buckets, usage };
  }

  private async ledgerOf(organizationId: string): Promise<string> {
    const values = [this.config.project, organizationId];
    const [row] = await this.database.query<{ ledger: string }>(LEDGER, values);
    return row?.ledger ?? this.config.project;
  }

  private async exhausted(bucket: Bucket): Promise<VideoQuotaIsExhausted> {
    const { resets_at: resetsAt, seconds } = await this.today();
    return new VideoQuotaIsExhausted(bucket, resetsAt, seconds);
  }

  private async today(): Promise<Today> {
    const [today] = await this.database.query<Today>(TODAY);
    if (!today) throw new Error('The database has no time.');
    return today;
  }
}

function bucketUsage(bucket: Bucket, limit: number, stored: UsedBucket | undefined): BucketUsage {
  const used = stored?.used ?? 0;
  return { bucket, limit, used, remaining: stored?.exhausted ? 0 : Math.max(0, limit - used) };
}
