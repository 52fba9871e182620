import { Inject, Injectable, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { purgeExpiredRequests } from './purge.js';

const EVERY_MS = 10 * 60_000;

/**
 * Deletes expired idempotency keys and counters in the service's database. Every replica runs it without a lease, because
 * rows that another replica deletes are skipped.
 */
@Injectable()
export class ExpiredRequestsSweep extends PeriodicSweep implements OnApplicationBootstrap {
  private timer?: NodeJS.Timeout;

  constructor(@Optional() @Inject(Database) private readonly database?: Database) {
    super();
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.tick(), EVERY_MS).unref();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await super.beforeApplicationShutdown();
  }

  tick(): Promise<void> {
    return this.pass(async () => {
      while (this.database && (await purgeExpiredRequests(this.database)) && !this.isStopping);
    });
  }
}
