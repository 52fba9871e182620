import type { Database } from '#libs/database';
import { type Leases, PeriodicSweep } from '#libs/due-work';
import type { UnownedObjects } from './unowned-objects.js';

/** Milliseconds between two passes. */
export const REMOVE_OBJECTS_EVERY_MS = 60_000;
const LEASE_MS = 5 * REMOVE_OBJECTS_EVERY_MS;
/** A sweep must end well inside its lease even when the store is slow; the next sweep continues. */
const MAX_DURATION_MS = 2 * REMOVE_OBJECTS_EVERY_MS;
const BATCH_SIZE = 50;

/** Removes the objects of a feature that no row owns. One replica at a time, by a lease. */
export abstract class UnownedObjectsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly objects: UnownedObjects,
    private readonly lease: string,
  ) {
    super();
  }

  /** @returns how many objects were due; 0 when another replica holds the lease. @throws ObjectStorageIsUnavailable */
  async sweep(): Promise<number> {
    const taken = await this.leases.acquire(this.database, [this.lease], LEASE_MS);
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
