import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { type HeldLeases, Leases, whileRenewed } from '#libs/due-work';
import { TooManyUploads, UploadsAreBusy } from './upload.errors.js';
import { UploadsConfig } from './uploads.config.js';

/** How long the slots of a dead process stay occupied. */
const LEASE_MS = 15_000;

/**
 * Limits concurrent uploads. Leases in the database count a caller's uploads over all replicas and free those of a dead
 * process. Each process also counts its own, to protect its disk.
 */
@Injectable()
export class UploadSlots {
  private running = 0;

  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly config: UploadsConfig,
  ) {}

  /**
   * Runs the work in a slot of the process and one of the caller. Frees both when it has settled.
   * @param caller unique among all callers
   * @throws UploadsAreBusy, TooManyUploads before the work begins
   */
  async hold<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.running >= this.config.perProcess) throw new UploadsAreBusy();
    this.running++;
    try {
      const held = await this.acquire(caller);
      // A slot lost during a database outage only lets the caller start one more upload.
      const renew = async () => (await this.leases.renew(this.database, held, LEASE_MS)).size > 0;
      try {
        return await whileRenewed({ leaseMs: LEASE_MS, renew }, work);
      } finally {
        // The work has settled, and the lease expires without a release.
        await this.leases.release(this.database, held).catch(() => undefined);
      }
    } finally {
      this.running--;
    }
  }

  /** Starts at a random slot, so that concurrent uploads seldom try the same one. */
  private async acquire(caller: string): Promise<HeldLeases> {
    const { perCaller } = this.config;
    const first = Math.floor(Math.random() * perCaller);
    for (let tried = 0; tried < perCaller; tried++) {
      const key = `upload:${caller}:${(first + tried) % perCaller}`;
      const held = await this.leases.acquire(this.database, [key], LEASE_MS);
      if (held.size > 0) return held;
    }
    throw new TooManyUploads(perCaller);
  }
}
