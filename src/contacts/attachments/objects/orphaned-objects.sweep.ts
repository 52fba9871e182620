import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { Leases, PeriodicSweep } from '#libs/due-work';
import { AttachmentObjects } from './attachments.objects.js';

const EVERY_MS = 60_000;
const LEASE = 'sweep:orphaned-objects';
const LEASE_MS = 5 * EVERY_MS;
/** A sweep must end well inside its lease even when the store is slow; the next sweep continues. */
const MAX_DURATION_MS = 2 * EVERY_MS;
const BATCH_SIZE = 50;

/** Removes objects without an attachment: abandoned uploads, files of deleted attachments and erased contacts. */
@Injectable()
export class OrphanedObjectsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly objects: AttachmentObjects,
  ) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }

  /** @returns how many objects were due; 0 when another replica holds the lease. @throws ObjectStorageIsUnavailable */
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
    let due = 0;
    while (performance.now() < until && !this.isStopping) {
      const dueNow = await this.objects.removeDue(BATCH_SIZE, until);
      due += dueNow;
      if (dueNow < BATCH_SIZE) break;
    }
    return due;
  }
}
