import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { HealthCheck } from './health-check.js';
import { CHECK_TIMEOUT_MS } from './probe.js';

/** Whether the database responds. Hard, because every service needs it. */
@Injectable()
export class DatabaseCheck implements HealthCheck {
  readonly name = 'database';
  readonly hard = true;

  constructor(private readonly database: Database) {}

  async check(): Promise<void> {
    await this.database.ping(CHECK_TIMEOUT_MS);
  }
}
