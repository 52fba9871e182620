import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { Database } from '#libs/database';
import { purgeExpiredRequests } from './purge.js';

const EVERY_MS = 10 * 60_000;

/**
 * Forgets expired idempotency keys and counters in the service's own database. Every replica does: rows
 * that another one is deleting are skipped, and what is gone is gone for all, so no lease is needed.
 */
@Injectable()
export class ExpiredRequestsSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ExpiredRequestsSweep.name);
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(@Optional() @Inject(Database) private readonly database?: Database) {}

  onApplicationBootstrap(): void {
    const tick = () => {
      this.running = this.sweep();
    };
    this.timer = setInterval(tick, EVERY_MS).unref();
  }

  /** Begins no further pass; resolves when the one that runs has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Never throws: the next one goes on where this one stopped. */
  async sweep(): Promise<void> {
    try {
      while (this.database && (await purgeExpiredRequests(this.database)) && !this.stopping);
    } catch (error) {
      this.logger.warn({ err: error }, 'Expired requests are not forgotten yet; the next sweep goes on.');
    }
  }
}
