import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { Database, DatabaseIsUnavailable } from '#libs/database';
import type { Attribution } from '../../../access/attribution.js';
import { ADD, BEGIN, countOf, DELETE_LEFT, INCOMPLETE, POSITION, RUNNING } from './counters.sql.js';

/** A day or month of a limit. */
export interface SpendWindow {
  readonly scope: string;
  readonly period: 'day' | 'month';
  /** The first day, UTC. */
  readonly startsOn: string;
}

interface Incomplete extends SpendWindow {
  readonly limitId: string;
}

type Counted = Pick<Attribution, 'organizationId' | 'applicationId'>;

const TIME_LIMIT_MS = 5_000;
const POLL_MS = 5;

/**
 * What windows of limits have counted. A new counter is incomplete: statements that began before it do not change it. When they have
 * ended it is completed from the rows, and until then its limit grants nothing. No lock makes other statements wait; calls that share a statement with such a call wait with it.
 */
@Injectable()
export class SpendCounters {
  constructor(private readonly database: Database) {}

  /** In the transaction that sets the limit. What the window holds so far is shown, and not complete. */
  async begin(window: SpendWindow): Promise<void> {
    const { scope, period, startsOn } = window;
    await this.database.query(DELETE_LEFT, [scope, period]);
    await this.database.query(BEGIN, [scope, period, startsOn]);
    await this.count(this.database, window, null);
  }

  /** Adds all counters that calls need and that do not exist, and completes them. @throws DatabaseIsUnavailable */
  async addFor(calls: readonly Counted[]): Promise<void> {
    const counted = columnsOf(calls);
    await this.executor.query(ADD, counted);
    await this.complete(counted);
  }

  /** Also of limits without calls. @throws DatabaseIsUnavailable */
  completeAll(): Promise<void> {
    return this.complete([null, null]);
  }

  private async complete(counted: readonly unknown[]): Promise<void> {
    const incomplete = await this.executor.query<Incomplete>(INCOMPLETE, counted);
    if (incomplete.length === 0) return;
    await this.earlierStatementsEnd();
    for (const window of incomplete) await this.count(this.executor, window, window.limitId);
  }

  /** Those that begin later see the counters. */
  private async earlierStatementsEnd(): Promise<void> {
    const until = performance.now() + TIME_LIMIT_MS;
    for (let left = await this.running(null); left.length > 0; left = await this.running(left)) {
      if (performance.now() > until)
        throw new DatabaseIsUnavailable(new Error('Statements on counters of spend limits do not end.'));
      await wait(POLL_MS);
    }
  }

  /** @param among null: all @returns transactions with statements on counters */
  private async running(among: readonly string[] | null): Promise<string[]> {
    const rows = await this.executor.query<{ id: string }>(RUNNING, [among]);
    return rows.map(({ id }) => id);
  }

  private async count(
    executor: Executor,
    { scope, period, startsOn }: SpendWindow,
    limitId: string | null,
  ): Promise<void> {
    const [rollups] = await executor.query<{ position: string }>(POSITION);
    const { text, values } = countOf(scope);
    await executor.query(text, [scope, period, startsOn, rollups?.position, limitId, ...values]);
  }

  private get executor(): Executor {
    return this.database.within(TIME_LIMIT_MS);
  }
}

const columnsOf = (calls: readonly Counted[]) => [
  calls.map(({ organizationId }) => organizationId),
  calls.map(({ applicationId }) => applicationId),
];
