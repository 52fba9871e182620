import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { Leases } from '#libs/due-work';
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
      return await this.holdOfCaller(caller, work);
    } finally {
      this.running--;
    }
  }

  /** Starts at a random slot, so that concurrent uploads seldom try the same one. */
  private async holdOfCaller<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const { perCaller } = this.config;
    const first = Math.floor(Math.random() * perCaller);
    for (let tried = 0; tried < perCaller; tried++) {
      const key = `upload:${caller}:${(first + tried) % perCaller}`;
      // A slot lost during a database outage only lets the caller start one more upload.
      const done = await this.leases.whileHeld(this.database, key, LEASE_MS, async () => ({
        result: await work(),
      }));
      if (done) return done.result;
    }
    throw new TooManyUploads(perCaller);
  }
}
