import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { Database } from '#libs/database';
import {
  type Counter,
  type CounterChange,
  type CounterKey,
  type CounterState,
  keyOf,
  kindOf,
  lengthOf,
} from './counters.js';
import { ADD, CHANGE, READ, SWEEP } from './usage.statements.js';

type ChangedRow = CounterKey & Omit<CounterState, 'windowEndsAt'> & { windowEndsAt: Date | number };
type ReadRow = CounterKey & { max: number | null; remaining: number | null; resetsAt: Date | null };

/** `max` and `remaining` are null for a limit without a published number, before the network has stated one. */
export interface CounterLevel {
  readonly max: number | null;
  readonly remaining: number | null;
  readonly resetsAt: Instant | null;
}

/** One statement of a batch changes at most so many counters; above that the next statement follows. */
export const MAX_COUNTERS = 1_000;
/** Pages of PostgreSQL, of about 60 counters each. */
const SWEPT_AT_ONCE = 16;
/** A post waits for it before its irreversible call. */
const TIME_LIMIT_MS = 5_000;
/** A counter that a sweep deletes between two statements is added again. */
const TRIES = 3;

/** Counters of the limits of networks, shared by all workers. Each call is a statement of its own, outside of transactions. */
@Injectable()
export class NetworkUsageStore {
  constructor(private readonly database: Database) {}

  /** @param changes at most one of each counter. @returns the states by `keyOf`, of all changed counters */
  async change(changes: readonly CounterChange[]): Promise<Map<string, CounterState>> {
    const states = new Map<string, CounterState>();
    let left = changes;
    for (let tries = 0; left.length > 0 && tries < TRIES; tries += 1) {
      if (tries > 0) await this.add(left);
      const rows = await this.executor.query<ChangedRow>(CHANGE, valuesOf(left));
      for (const row of rows) states.set(keyOf(row), stateOf(row));
      left = left.filter(({ counter }) => !states.has(keyOf(counter)));
    }
    if (left.length > 0) throw new Error('Counters of network limits could not be added.');
    return states;
  }

  /** By `keyOf`; a counter without a use is absent. */
  async read(counters: readonly Counter[]): Promise<Map<string, CounterLevel>> {
    if (counters.length === 0) return new Map();
    const rows = await this.database.query<ReadRow>(READ, [
      ...keysOf(counters),
      counters.map(({ limit }) => kindOf(limit)),
      counters.map(({ limit }) => lengthOf(limit)),
      counters.map(({ limit }) => limit.max),
    ]);
    return new Map(
      rows.map(({ max, remaining, resetsAt, ...key }) => [
        keyOf(key),
        { max, remaining, resetsAt: resetsAt?.toISOString() ?? null },
      ]),
    );
  }

  /** Deletes those of the next counters that are not used any more. @param page where the sweep before ended @returns the next one */
  async sweep(page = 0): Promise<number> {
    const next = page + SWEPT_AT_ONCE;
    const [table] = await this.database.query<{ hasMore: boolean }>(SWEEP, [page, next]);
    return table?.hasMore ? next : 0;
  }

  private get executor() {
    return this.database.within(TIME_LIMIT_MS);
  }

  private async add(changes: readonly CounterChange[]): Promise<void> {
    await this.executor.query(ADD, keysOf(changes.map(({ counter }) => counter)));
  }
}

const keysOf = (counters: readonly CounterKey[]): unknown[] => [
  counters.map(({ platform }) => platform),
  counters.map(({ accountId }) => accountId),
  counters.map(({ counter }) => counter),
];

/** In the order of the statement's parameters. */
const valuesOf = (changes: readonly CounterChange[]): unknown[] => {
  const limits = changes.map(({ counter: { limit } }) => limit);
  const readings = changes.map(({ reading }) => reading);
  return [
    ...keysOf(changes.map(({ counter }) => counter)),
    limits.map(kindOf),
    limits.map(lengthOf),
    limits.map(({ window }) => (window.kind === 'day' ? window.timeZone : null)),
    limits.map(({ max }) => max),
    changes.map(({ wanted }) => wanted),
    changes.map(({ returned }) => returned),
    changes.map(({ ofWindow }) => ofWindow),
    readings.map((reading) => reading?.remaining ?? null),
    readings.map((reading) => reading?.resetsAt ?? null),
    // A maximum of 0 would outlast its window: no call would be made again that could state another one.
    readings.map((reading) => reading?.max || null),
    readings.map((reading) => reading?.after ?? null),
  ];
};

/** A window that has never begun ended at -infinity. */
const stateOf = ({ windowEndsAt, granted, taken, remaining, max, freeInMs }: ChangedRow): CounterState => ({
  granted,
  taken,
  remaining,
  max,
  freeInMs,
  windowEndsAt: new Date(windowEndsAt instanceof Date ? windowEndsAt : 0).toISOString(),
});
