import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Fence } from '#libs/due-work';
import { Leases } from '#libs/due-work';
import { TooManyUploads, UploadsAreBusy } from './upload.errors.js';
import { UploadsConfig } from './uploads.config.js';

/** After its file has arrived an upload is still worked on: stored or imported. */
const WORK_MS = 15 * 60_000;

/**
 * How many uploads run at a time. A caller's are counted in the database by leases, so that every replica counts alike and
 * those of a process that died are free again; a process counts its own, which protect its disk.
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
   * Runs the work in a slot of the process and one of the caller; both are free again when it has settled.
   * @param caller unique among all callers
   * @throws UploadsAreBusy, TooManyUploads before the work begins
   */
  async hold<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.running >= this.config.perProcess) throw new UploadsAreBusy();
    this.running++;
    try {
      const held = await this.acquire(caller);
      try {
        return await work();
      } finally {
        await this.leases.release(this.database, held);
      }
    } finally {
      this.running--;
    }
  }

  /** Begins at a random slot: two uploads that begin at once seldom try the same one. */
  private async acquire(caller: string): Promise<ReadonlyMap<string, Fence>> {
    const { perCaller, deadlineMs } = this.config;
    const first = Math.floor(Math.random() * perCaller);
    for (let tried = 0; tried < perCaller; tried++) {
      const key = `upload:${caller}:${(first + tried) % perCaller}`;
      const held = await this.leases.acquire(this.database, [key], deadlineMs + WORK_MS);
      if (held.size > 0) return held;
    }
    throw new TooManyUploads(perCaller);
  }
}
