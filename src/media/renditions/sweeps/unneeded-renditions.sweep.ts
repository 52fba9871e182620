import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database, statement } from '#libs/database';
import { Leases, PeriodicSweep } from '#libs/due-work';
import { RenditionsConfig } from '../renditions.config.js';

const EVERY_MS = 3_600_000;
const LEASE = 'sweep:unneeded-renditions';
const LEASE_MS = 300_000;
/** A sweep ends well inside its lease; the next one continues. */
const MAX_DURATION_MS = 120_000;
const BATCH_SIZE = 500;

/** $1 days. Failed and pending ones too: a network may have changed its limits. A post that is not published yet keeps its renditions. */
const REMOVE = statement(
  'remove_unneeded_renditions',
  `DELETE FROM media.rendition WHERE id IN (
     SELECT id FROM media.rendition AS old
     WHERE last_needed_at < now() - $1::float8 * interval '1 day' AND NOT is_claimed
       AND NOT EXISTS (SELECT FROM media.use WHERE use.media_id = old.media_id AND use.needed)
     ORDER BY last_needed_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** Removes renditions that nothing has needed for long. They are made again when they are needed. A trigger leaves their objects to the sweep. */
@Injectable()
export class UnneededRenditionsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly config: RenditionsConfig,
  ) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }

  /** @returns how many were removed; 0 when another replica holds the lease */
  async sweep(): Promise<number> {
    const taken = await this.leases.acquire(this.database, [LEASE], LEASE_MS);
    if (taken.size === 0) return 0;
    try {
      return await this.removeAll(performance.now() + MAX_DURATION_MS);
    } finally {
      await this.leases.release(this.database, taken);
    }
  }

  private async removeAll(until: number): Promise<number> {
    let removed = 0;
    while (performance.now() < until && !this.isStopping) {
      const batch = await this.database.query(REMOVE, [this.config.keepDays]);
      removed += batch.length;
      if (batch.length < BATCH_SIZE) break;
    }
    return removed;
  }
}
