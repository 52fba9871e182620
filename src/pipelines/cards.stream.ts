import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '#libs/concurrency';
import { Database, type Executor, statement, type Transaction } from '#libs/database';
import {
  type Changed,
  type EventMetadata,
  EventStore,
  Stream,
  StreamNotFound,
  VersionIsStale,
} from '#libs/event-store';
import type { CardDto } from './dto/board.dto.js';
import { ContactNotFound } from '../contacts/index.js';
import {
  cardAggregate,
  type CardEvent,
  type CardState,
  type Move,
  moveTo,
  reposition,
} from './domain/card.js';
import { spreadAround } from './commands/card-spread.statement.js';
import { CARD_COLUMNS, cardOfRow, cardProjection, type CardRow } from './views/card.view.js';
import { StageNotFound } from './domain/pipeline.errors.js';
import { cardIdOf } from './access/pipelines.ids.js';
import { lockCard, tryLockCards } from './commands/pipelines.locks.js';

export interface CardMove {
  readonly contactId: string;
  readonly pipelineId: string;
  readonly stageId: string;
  /** Default: the end of the stage. */
  readonly position?: number;
  /** Stored only when the stage changes. */
  readonly note?: string;
  readonly context: EventMetadata;
  readonly ifVersion?: number;
}

/** Adding 1 to the largest doubles has no effect; the time of entry then decides the order. */
const END = statement(
  'end_of_stage',
  `SELECT (SELECT coalesce(max(k.position), 0) + 1 FROM pipelines.card_view k WHERE k.stage_id = s.id) AS "end"
   FROM pipelines.stage_view s JOIN pipelines.pipeline_view p ON p.id = s.pipeline_id
   WHERE s.id = $1 AND s.position IS NOT NULL AND NOT p.archived`,
);

const NOTE = statement(
  'keep_movement_note',
  'INSERT INTO pipelines.movement_note (id, contact_id, text) VALUES ($1, $2, $3)',
);

const GET = statement(
  'get_card',
  `SELECT ${CARD_COLUMNS} FROM pipelines.card_view k
   JOIN contacts.contact_summary c ON c.id = k.contact_id AND c.deleted_at IS NULL WHERE k.id = $1`,
);

@Injectable()
export class Cards extends Stream<CardState, CardEvent> {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly transactions: Database,
    store: EventStore,
  ) {
    super(transactions, store, cardAggregate, cardProjection);
  }

  /**
   * Concurrent moves of one card run one after the other, each from the result of the previous one.
   * @throws StageNotFound, ContactNotFound when either was removed meanwhile; VersionIsStale
   */
  async move(asked: CardMove): Promise<CardDto> {
    const cardId = cardIdOf(asked.pipelineId, asked.contactId);
    const work = () => this.transactions.transaction((transaction) => this.place(transaction, cardId, asked));
    return this.transactions.isInTransaction ? work() : this.mutex.runExclusive(cardId, work);
  }

  /** A position after all cards of the stage. @throws StageNotFound also for an archived one */
  async endOf(stageId: string, executor: Executor): Promise<number> {
    const [stage] = await executor.query<{ end: number }>(END, [stageId]);
    if (!stage) throw new StageNotFound();
    return stage.end;
  }

  private async place(
    transaction: Transaction,
    cardId: string,
    { contactId, pipelineId, stageId, position, note, ...asked }: CardMove,
  ): Promise<CardDto> {
    await lockCard(transaction, pipelineId, cardId);
    const end = await this.endOf(stageId, transaction);
    const noteId = note === undefined ? null : randomUUIDv7();
    const move: Move = { cardId, pipelineId, contactId, to: stageId, position, end, noteId };
    const { events } = await this.make(move, asked);
    if (position !== undefined && events.length > 0)
      await this.spreadNeighbours(transaction, move, asked.context);
    const [row] = await transaction.query<CardRow>(GET, [cardId]);
    if (!row) throw new ContactNotFound();
    const moved = events.some(({ type }) => type !== 'CardRepositioned');
    if (noteId && moved) await transaction.query(NOTE, [noteId, contactId, note]);
    return cardOfRow(row);
  }

  /** Leaves the cards where they are while another transaction moves one of them; the next move checks again. */
  private async spreadNeighbours(
    transaction: Transaction,
    move: Move,
    context: EventMetadata,
  ): Promise<void> {
    const placed = await spreadAround(transaction, move.cardId);
    const ids = placed.map(({ id }) => id);
    if (ids.length === 0 || !(await tryLockCards(transaction, ids))) return;
    const loaded = await this.loadMany(ids);
    const changes = placed.flatMap(({ id, position }) => {
      const from = loaded.get(id);
      const events = from?.state ? reposition(from.state, position) : [];
      return from && events.length > 0 ? [{ id, from, events, context }] : [];
    });
    await this.changeMany(transaction, changes);
  }

  private async make(
    move: Move,
    { context, ifVersion }: Pick<CardMove, 'context' | 'ifVersion'>,
  ): Promise<Changed<CardState>> {
    const decide = (now: string) => moveTo(move, now);
    try {
      return await this.change(move.cardId, decide, context, { ifVersion });
    } catch (error) {
      if (!(error instanceof StreamNotFound)) throw error;
      if (ifVersion !== undefined) throw new VersionIsStale(0);
      return this.create(move.cardId, (now) => decide(now)(null), context);
    }
  }
}
