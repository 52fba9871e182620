import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { HealthCheck } from './health-check.js';

const PING = statement('health_ping', 'SELECT 1 AS one');

/** Whether the database answers. Hard: without it a service can do nothing. */
@Injectable()
export class DatabaseCheck implements HealthCheck {
  readonly name = 'database';
  readonly hard = true;

  constructor(private readonly database: Database) {}

  async check(): Promise<void> {
    await this.database.query(PING);
  }
}
