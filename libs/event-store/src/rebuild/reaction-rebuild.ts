import type { Database, Transaction } from '#libs/database';
import { BEGINNING, type Cursor, type RecordedEvent } from '../domain-event.js';
import type { EventStore } from '../event-store.js';
import { commonSchemaOf } from '../reactions/table-names.js';
import type { Reaction } from '../reactions/reaction.js';
import {
  countDifferences,
  dropShadowTables,
  createShadowTables,
  replaceRows,
  countLiveWrites,
} from './shadow-tables.js';
import { type LogConsumer, readPages } from './log-pass.js';

/**
 * Replays the log into shadow tables up to the checkpoint that the live reaction had at the start. `finish` replays the
 * rest while the live reaction waits, then replaces the live rows (`swap`) or counts the differences (`compare`) in one
 * transaction. The checkpoint does not change. Readers see either the old rows or the new ones.
 */
export class ReactionRebuild implements LogConsumer {
  /** Events replayed. */
  handled = 0;
  private cursor = BEGINNING;

  private constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly reaction: Reaction,
    private readonly shadow: string,
    readonly target: Cursor,
  ) {}

  static async begin(database: Database, store: EventStore, reaction: Reaction): Promise<ReactionRebuild> {
    const shadow = shadowSchemaOf(reaction);
    const target = await database.separateTransaction((transaction) =>
      lockCheckpoint(transaction, reaction.name),
    );
    await createShadowTables(database, reaction.tables, shadow);
    return new ReactionRebuild(database, store, reaction, shadow, target);
  }

  get name(): string {
    return this.reaction.name;
  }

  handle(events: readonly RecordedEvent[]): Promise<void> {
    return this.database.separateTransaction(async (transaction) => {
      await transaction.query('SET LOCAL synchronous_commit = off');
      await this.replay(transaction, events);
    });
  }

  /** @returns the number of differing rows of a reaction with `rebuild: 'compare'` */
  finish(): Promise<number | undefined> {
    return this.database.separateTransaction(async (transaction) => {
      await this.replayUpTo(transaction, await lockCheckpoint(transaction, this.name));
      const { tables, rebuild } = this.reaction;
      if (rebuild === 'compare') return countDifferences(transaction, tables, this.shadow);
      await replaceRows(transaction, tables, this.shadow);
      return undefined;
    });
  }

  drop(): Promise<void> {
    return dropShadowTables(this.database, this.shadow);
  }

  private async replayUpTo(transaction: Transaction, target: Cursor): Promise<void> {
    // No page ahead: reads join the transaction, and its connection runs one query at a time.
    for await (const events of readPages(this.store, { after: this.cursor, upTo: target })) {
      await this.replay(transaction, events);
    }
  }

  private async replay(transaction: Transaction, events: readonly RecordedEvent[]): Promise<void> {
    const { reaction, store } = this;
    await transaction.query(`SET LOCAL search_path = ${this.shadow}, public`);
    const shaped = reaction.reads === 'stored' ? [...events] : events.map((event) => store.upcast(event));
    const before = await countLiveWrites(transaction, reaction.tables);
    await reaction.handle(transaction, shaped);
    if ((await countLiveWrites(transaction, reaction.tables)) !== before) {
      throw new Error(`${reaction.name} must name ${reaction.tables.join(', ')} without the schema.`);
    }
    this.handled += events.length;
    this.cursor = events.at(-1) ?? this.cursor;
  }
}

/** One per reaction, because several reactions of one schema are rebuilt together. */
function shadowSchemaOf({ name, tables }: Reaction): string {
  return `${commonSchemaOf(tables)}_rebuild_${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
}

/** Waits for the running batch of the live reaction and blocks the next one until the transaction ends. */
async function lockCheckpoint(transaction: Transaction, name: string): Promise<Cursor> {
  const [row] = await transaction.query<Cursor>(
    `SELECT cursor_transaction_id::text AS "transactionId", cursor_position::text AS position
     FROM events.reaction WHERE name = $1 FOR UPDATE`,
    [name],
  );
  return row ?? BEGINNING;
}
