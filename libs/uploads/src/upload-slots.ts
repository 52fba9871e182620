import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { HeldLeases } from '#libs/due-work';
import { Leases } from '#libs/due-work';
import { TooManyUploads, UploadsAreBusy } from './upload.errors.js';
import { UploadsConfig } from './uploads.config.js';

/** How long the slots of a process that died stay taken. Renewed three times as often while an upload runs. */
const LEASE_MS = 15_000;

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
      const renewing = setInterval(() => void this.renew(held), LEASE_MS / 3);
      try {
        return await work();
      } finally {
        clearInterval(renewing);
        // The work has its outcome already, and the lease ends by itself.
        await this.leases.release(this.database, held).catch(() => undefined);
      }
    } finally {
      this.running--;
    }
  }

  /** A slot that is lost during an outage of the database only lets the caller begin one upload more. */
  private async renew(held: HeldLeases): Promise<void> {
    await this.leases.renew(this.database, held, LEASE_MS).catch(() => undefined);
  }

  /** Begins at a random slot: two uploads that begin at once seldom try the same one. */
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
