import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Attribution } from '../../../access/attribution.js';
import { ADD, countOf, DELETE_LEFT, LOCK, WINDOW } from './counters.sql.js';

type Counted = Pick<Attribution, 'organizationId' | 'applicationId'>;

const TIME_LIMIT_MS = 5_000;

/** What windows of limits have counted. */
@Injectable()
export class SpendCounters {
  constructor(private readonly database: Database) {}

  /** In the transaction that sets the limit: its counter begins with what the window holds. Calls wait until the transaction ends. */
  async begin(scope: string, period: 'day' | 'month'): Promise<void> {
    for (const sql of LOCK) await this.database.query(sql);
    await this.database.query(DELETE_LEFT, [scope, period]);
    const [window] = await this.database.query<{ startsOn: string; position: string }>(WINDOW, [period]);
    const { text, values } = countOf(scope);
    await this.database.query(text, [scope, period, window?.startsOn, window?.position, ...values]);
  }

  /** Adds all counters that calls need and that do not exist. @throws DatabaseIsUnavailable */
  async addFor(calls: readonly Counted[]): Promise<void> {
    const organizations = calls.map(({ organizationId }) => organizationId);
    const applications = calls.map(({ applicationId }) => applicationId);
    await this.database.within(TIME_LIMIT_MS).query(ADD, [organizations, applications]);
  }
}
