import type { Database, Transaction } from '#libs/database';
import type { Cursor } from '../cursor.js';
import { BEGINNING, compareCursors } from '../cursor.js';
import type { EventStore } from '../event-store.js';
import type { RecordedEvent } from '../domain-event.js';
import type { Reaction } from '../reactions/reaction.js';
import { schemaOf } from '../reactions/place.js';
import { compareTables, dropBeside, makeBeside, swapTables, writesToLive } from './beside.js';

const EVENTS_PER_BATCH = 5_000;

export interface ReactionRebuild {
  readonly events: number;
  /** For `compare`: rows of the live tables that the log does not give, and the other way round. */
  readonly differences?: number;
}

/**
 * Replays the log into tables beside the live ones as far as the live reaction has come, then, while that one
 * stands still for a moment, replaces the live rows in one transaction (`swap`) or counts what differs
 * (`compare`). The checkpoint stays where it is. Readers see either the old rows or the new ones.
 */
export async function rebuildReaction(
  database: Database,
  store: EventStore,
  reaction: Reaction,
): Promise<ReactionRebuild> {
  const schema = schemaOf(reaction.tables);
  const beside = `${schema}_rebuild`;
  const replay = new Replay(database, store, reaction, beside);
  await makeBeside(database, reaction.tables, beside);
  try {
    await replay.catchUp();
    return await database.separateTransaction(async (transaction) => {
      const target = await reached(transaction, reaction.name);
      await replay.finish(transaction, target);
      if (reaction.rebuild === 'compare') {
        const differences = await compareTables(transaction, reaction.tables, beside);
        return { events: replay.handled, differences };
      }
      await swapTables(transaction, reaction.tables, beside);
      return { events: replay.handled };
    });
  } finally {
    await dropBeside(database, beside);
  }
}

/** Waits for the live reaction's batch in flight and keeps the next one waiting until this transaction ends. */
async function reached(transaction: Transaction, name: string): Promise<Cursor> {
  const [row] = await transaction.query<Cursor>(
    `SELECT cursor_transaction_id::text AS "transactionId", cursor_position::text AS position
     FROM events.reaction WHERE name = $1 FOR UPDATE`,
    [name],
  );
  return row ?? BEGINNING;
}

class Replay {
  handled = 0;
  private cursor = BEGINNING;

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly reaction: Reaction,
    private readonly beside: string,
  ) {}

  /** In a transaction per batch, as far as the live reaction had come when this began; reads one batch ahead. */
  async catchUp(): Promise<void> {
    const target = await this.database.separateTransaction((tx) => reached(tx, this.reaction.name));
    let next = this.store.readAllUpTo(this.cursor, target, EVENTS_PER_BATCH);
    for (;;) {
      const page = await next;
      if (page.events.length === 0) return;
      next = this.store.readAllUpTo(page.cursor, target, EVENTS_PER_BATCH);
      next.catch(() => undefined);
      await this.database.separateTransaction(async (transaction) => {
        await transaction.query('SET LOCAL synchronous_commit = off');
        await this.handle(transaction, page.events);
      });
      this.cursor = page.cursor;
    }
  }

  async finish(transaction: Transaction, target: Cursor): Promise<void> {
    while (compareCursors(this.cursor, target) < 0) {
      const page = await this.store.readAllUpTo(this.cursor, target, EVENTS_PER_BATCH);
      if (page.events.length === 0) return;
      await this.handle(transaction, page.events);
      this.cursor = page.cursor;
    }
  }

  private async handle(transaction: Transaction, events: RecordedEvent[]): Promise<void> {
    await transaction.query(`SET LOCAL search_path = ${this.beside}, public`);
    const upcasters = this.store.upcasters;
    const shaped =
      this.reaction.reads === 'stored' ? events : events.map((event) => upcasters.upToDate(event));
    const before = await writesToLive(transaction, this.reaction.tables);
    await this.reaction.handle(transaction, shaped);
    if ((await writesToLive(transaction, this.reaction.tables)) !== before) {
      throw new Error(
        `${this.reaction.name} must name ${this.reaction.tables.join(', ')} without the schema.`,
      );
    }
    this.handled += events.length;
  }
}
