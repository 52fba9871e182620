import { Injectable, Logger } from '@nestjs/common';
import { Database, type Transaction } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import {
  ADVANCE,
  BATCH,
  CLEAR,
  DELETE_CORRECTIONS,
  DELETE_OLD,
  KEEP_FROM,
  LOCK_STATE,
  MORE_MEMORY,
  REBUILD,
  RENUMBER,
  SET_STATE,
  STATE,
  TRANSACTIONS,
} from './rollups.sql.js';

interface Transactions {
  /** Ids below it have ended. */
  readonly oldest: string;
  readonly next: string;
}

interface Batch {
  readonly first: string | null;
  readonly behind: string | null;
}

const ROWS_AT_ONCE = 10_000;
const DAY_MS = 86_400_000;

/**
 * Usage per day and month, added up from rows in the order of the transactions that settled them, as the event store reads its log:
 * only transactions below every running one are counted, so that none is skipped, and the position commits with the sums, so that
 * none is counted twice. Readers add the rows behind the position themselves.
 */
@Injectable()
export class UsageRollups {
  private readonly logger = new Logger(UsageRollups.name);

  constructor(private readonly database: Database) {}

  /** Counts one batch. @returns whether more is left; false also if another replica counts */
  async advance(rowsAtOnce = ROWS_AT_ONCE): Promise<boolean> {
    return this.database.separateTransaction(async (transaction) => {
      const [state] = await transaction.query<{ countedBefore: string }>(STATE);
      if (!state) return false;
      const { countedBefore } = state;
      const { oldest, next } = await transactionsOf(transaction);
      if (BigInt(countedBefore) > BigInt(next)) {
        this.logger.warn('Usage was restored from another cluster. Its rollups are rebuilt.');
        await rebuildIn(transaction);
        return false;
      }
      const [batch] = await transaction.query<Batch>(BATCH, [countedBefore, rowsAtOnce]);
      const end = endOf(batch, oldest);
      if (BigInt(end) <= BigInt(countedBefore)) return false;
      await transaction.query(ADVANCE, [countedBefore, end]);
      await transaction.query(SET_STATE, [end]);
      return end !== oldest;
    });
  }

  /** Adds up all rows again, in one transaction; reports read the former rollups until it ends. */
  async rebuild(): Promise<void> {
    while (await this.advance());
    await this.database.separateTransaction(async (transaction) => {
      await transaction.query(LOCK_STATE);
      await rebuildIn(transaction);
    });
  }

  /** Deletes rows of whole months that ended so many days ago. @returns how many, at most `most` */
  async deleteOld(keptDays: number, most: number): Promise<number> {
    const [state] = await this.database.query<{ rowsFrom: string }>(KEEP_FROM, [keptDays]);
    const { rowsFrom } = state as { rowsFrom: string };
    const bound = lowestIdOf(Math.max(0, Date.parse(rowsFrom)) + DAY_MS);
    const deleted = await this.database.query(DELETE_OLD, [rowsFrom, bound, most]);
    await this.database.query(DELETE_CORRECTIONS, [rowsFrom, bound]);
    return deleted.length;
  }
}

async function transactionsOf(transaction: Transaction): Promise<Transactions> {
  const [row] = await transaction.query<Transactions>(TRANSACTIONS);
  return row as Transactions;
}

/** A transaction is counted whole, also one with more rows than a batch. */
function endOf(batch: Batch | undefined, oldest: string): string {
  if (!batch?.first || !batch.behind) return oldest;
  const { first, behind } = batch;
  const end = behind === first ? BigInt(first) + 1n : BigInt(behind);
  return end < BigInt(oldest) ? end.toString() : oldest;
}

async function rebuildIn(transaction: Transaction): Promise<void> {
  const { oldest, next } = await transactionsOf(transaction);
  await transaction.query(MORE_MEMORY);
  for (const sql of RENUMBER) await transaction.query(sql, [next]);
  await transaction.query(CLEAR);
  await transaction.query(REBUILD, ['0', oldest]);
  await transaction.query(SET_STATE, [oldest]);
}

/** The lowest UUID of version 7 of an instant. @param at milliseconds */
function lowestIdOf(at: number): string {
  const hex = at.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const EVERY_MS = 5_000;

/** Counts settled attempts into the rollups. Every replica runs it: one counts at a time. */
@Injectable()
export class RollupsSweep extends PeriodicSweep {
  constructor(private readonly rollups: UsageRollups) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    while (!this.isStopping && (await this.rollups.advance()));
  }
}
