import { randomUUIDv7 } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Database, repeated, type Statement, WAITS_MS } from '#libs/database';
import type { Attribution } from '../../access/attribution.js';
import { type Bucket, type MeteredCall, QuotaConfig } from './quota.config.js';
import { VideoQuotaIsExhausted } from '../video.errors.js';
import type { BucketUsageDto, CallUsageDto, QuotaUsageDto } from './quota.dto.js';
import { EXHAUST, RELEASE, REOPENS, RESERVE, SETTLE, TODAY, USED, USED_BY } from './quota.sql.js';

/** `refused`: the provider refused the call, which costs as much. `unknown`: its answer was lost. */
export type Settlement = 'done' | 'refused' | 'unknown';

interface UsedBucket {
  readonly bucket: Bucket;
  readonly used: number;
  readonly exhausted: boolean;
}

export interface DebitedCall {
  readonly id: string;
  /** On which the call is sent, in Pacific time: `2026-11-22`. */
  readonly day: string;
}

/** When a bucket is tried again. */
interface Reset {
  readonly resetsAt: Date;
  /** Until then. */
  readonly seconds: number;
}

const TIME_LIMIT_MS = 5_000;
/** A caller waits for all of them. */
const RESERVE_WAITS_MS = [50, 250];

/**
 * Quota units of a Google project, which a credential of the platform names, over all replicas and by the database's clock. Units are
 * reserved before a call and settled after it. Each statement commits by itself, and is repeated when its answer is lost: ids are made
 * here. A process that ends in between leaves a reservation, which a sweep settles.
 */
@Injectable()
export class QuotaLedger {
  private readonly logger = new Logger(QuotaLedger.name);

  constructor(
    private readonly database: Database,
    private readonly config: QuotaConfig,
  ) {}

  async reserve(call: MeteredCall, { applicationId, organizationId }: Attribution): Promise<DebitedCall> {
    const { bucket, units } = this.config.costs[call];
    const limit = this.config.limits.get(bucket) ?? 0;
    const id = randomUUIDv7();
    const values = [this.config.project, bucket, units, limit, id, call, applicationId, organizationId];
    let tries = 0;
    try {
      const [granted] = await repeated(() => {
        tries += 1;
        return this.executor.query<DebitedCall>(RESERVE, values);
      }, RESERVE_WAITS_MS);
      return granted ?? (await this.refuse(bucket));
    } catch (error) {
      // A statement whose answer was lost can have stored it. Nothing is sent, and the caller does not wait.
      if (tries > 1) void this.release({ id });
      throw error;
    }
  }

  private async refuse(bucket: Bucket): Promise<never> {
    const { resetsAt, seconds } = await this.reset(REOPENS, [this.config.project, bucket]);
    throw new VideoQuotaIsExhausted(bucket, resetsAt, seconds);
  }

  /** When it cannot be stored, a sweep settles the call as unknown: its units stay taken all the same. */
  async settle({ id }: Pick<DebitedCall, 'id'>, how: Settlement): Promise<void> {
    await this.end(SETTLE, [id, how]);
  }

  /** The provider was certainly not asked. */
  async release({ id }: Pick<DebitedCall, 'id'>): Promise<void> {
    await this.end(RELEASE, [id]);
  }

  /** The provider's answer outweighs what was counted. @returns the error for the caller */
  async exhaust(call: MeteredCall, { id, day }: DebitedCall): Promise<VideoQuotaIsExhausted> {
    const { resetsAt, seconds } = await repeated(() => this.reset(EXHAUST, [id, day]), WAITS_MS.brief);
    return new VideoQuotaIsExhausted(this.config.costs[call].bucket, resetsAt, seconds);
  }

  async usageOf({ applicationId, organizationId }: Attribution): Promise<QuotaUsageDto> {
    const [today] = await this.database.query<Pick<QuotaUsageDto, 'project' | 'day' | 'resetsAt'>>(TODAY, [
      this.config.project,
    ]);
    const { project, day, resetsAt } = existing(today);
    const used = await this.database.query<UsedBucket>(USED, [project, day]);
    const values = [project, day, applicationId, organizationId];
    const usage = await this.database.query<CallUsageDto>(USED_BY, values);
    const buckets = [...this.config.limits].map(([bucket, limit]) => bucketUsage(bucket, limit, used));
    return { project, day, resetsAt, buckets, usage };
  }

  private async end(sql: Statement, values: readonly unknown[]): Promise<void> {
    try {
      await repeated(() => this.executor.query(sql, values), WAITS_MS.brief);
    } catch (error) {
      this.logger.warn(
        error,
        'The end of a call to the video provider could not be stored. A sweep settles it.',
      );
    }
  }

  private async reset(sql: Statement, values: readonly unknown[]): Promise<Reset> {
    return existing((await this.executor.query<Reset>(sql, values))[0]);
  }

  private get executor() {
    return this.database.within(TIME_LIMIT_MS);
  }
}

function existing<Row>(row: Row | undefined): Row {
  if (!row) throw new Error('A statement gave no row.');
  return row;
}

function bucketUsage(bucket: Bucket, limit: number, rows: readonly UsedBucket[]): BucketUsageDto {
  const { used, exhausted } = rows.find((row) => row.bucket === bucket) ?? { used: 0, exhausted: false };
  return { bucket, limit, used, remaining: exhausted ? 0 : Math.max(0, limit - used) };
}
