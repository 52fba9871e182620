import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { repeated } from '#libs/database';

const WAITS_MS = [100, 1_000, 5_000];

/**
 * Writes that no response waits for: settlements and breakers. Repeated while the database is the reason, and awaited at shutdown. One
 * that fails for good is logged; the sweep of the ledger settles its reservation.
 */
@Injectable()
export class BackgroundWrites implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundWrites.name);
  private readonly running = new Set<Promise<void>>();

  /** @param write can run more than once */
  add(write: () => Promise<void>): void {
    const running = repeated(write, WAITS_MS)
      .catch((error: unknown) => this.logger.error({ err: error }, 'A write of a call to a provider failed.'))
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Resolves when every write that was added has ended. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.idle();
  }
}
