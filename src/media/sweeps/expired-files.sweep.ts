import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database, statement } from '#libs/database';
import { Leases, PeriodicSweep } from '#libs/due-work';

const EVERY_MS = 60_000;
const LEASE = 'sweep:expired-media';
const LEASE_MS = 5 * EVERY_MS;
const MAX_DURATION_MS = 2 * EVERY_MS;
const BATCH = 200;

/**
 * The last request of an upload may begin just before its address expires, and then takes a while. Triggers keep the keys of
 * objects and the ids of uploads in parts for removal, and count the bytes.
 */
const DELETE = statement(
  'delete_expired_media',
  `DELETE FROM media.file WHERE id IN (
     SELECT id FROM media.file
     WHERE status = 'uploading' AND upload_expires_at < now() - interval '1 hour'
       OR status = 'rejected' AND updated_at < now() - interval '24 hours'
     LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** Deletes uploads that were never completed, and the entries of rejected files after 24 hours. */
@Injectable()
export class ExpiredFilesSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
  ) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }

  /** @returns how many were deleted; 0 when another replica holds the lease */
  async sweep(): Promise<number> {
    const taken = await this.leases.acquire(this.database, [LEASE], LEASE_MS);
    if (taken.size === 0) return 0;
    try {
      return await this.deleteAll(performance.now() + MAX_DURATION_MS);
    } finally {
      await this.leases.release(this.database, taken);
    }
  }

  private async deleteAll(until: number): Promise<number> {
    for (let deleted = 0; ;) {
      const batch = await this.database.query(DELETE);
      deleted += batch.length;
      if (batch.length < BATCH || performance.now() > until || this.isStopping) return deleted;
    }
  }
}
