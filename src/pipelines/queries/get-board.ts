import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import type { CardDetails, CardRow } from '../card.view.js';
import { CARD_COLUMNS, cardOfRow } from '../card.view.js';
import type { PipelineDetails } from '../pipeline.view.js';
import { PipelinesAccess } from '../pipelines.access.js';

export interface AskedBoard {
  readonly pipelineId: string;
  readonly caller: Caller;
  /** Only this stage. */
  readonly stageId?: string;
  /** `keyOf` of the last card of the page before of that stage. */
  readonly after: CardKey | null;
  /** Per stage. */
  readonly limit: number;
}

export interface BoardStage {
  readonly id: string;
  readonly name: string;
  /** From 0. */
  readonly position: number;
  /** Cards of the stage, all pages together. */
  readonly total: number;
  readonly cards: readonly BoardCard[];
}

/** A card and what the page after it continues from. */
export interface BoardCard extends CardDetails {
  readonly key: CardKey;
}

/** Position, time of entering, id. */
export type CardKey = readonly (string | number | null)[];

export interface Board {
  readonly pipeline: PipelineDetails;
  readonly stages: readonly BoardStage[];
}

/** Stages in their order, each with its first cards. Cards of deleted contacts are on no board. @throws PipelineNotFound, ScopeIsMissing */
export class GetBoard extends Query<Board> {
  constructor(readonly board: AskedBoard) {
    super();
  }
}

const AFTER = 'AND (k.position, k.entered_at, k.id) > ($5::float8, $6::timestamptz, $7::uuid)';

/**
 * Totals are all cards, counted along the index of the board, less those of deleted contacts, of which there are few:
 * looking at the contact of every card would take several times as long.
 */
const board = (name: string, after: string) =>
  statement(
    name,
    `WITH stage AS MATERIALIZED (
       SELECT id, name, position FROM pipelines.stage_view
       WHERE pipeline_id = $1 AND position IS NOT NULL AND ($3::uuid IS NULL OR id = $3)
     ), hidden AS MATERIALIZED (
       SELECT k.stage_id, count(*) AS cards FROM contacts.contact c
       JOIN pipelines.card_view k ON k.contact_id = c.id AND k.pipeline_id = $1
       WHERE c.organization_id = $2 AND c.deleted_at IS NOT NULL GROUP BY k.stage_id
     ), counted AS MATERIALIZED (
       SELECT stage.*, (SELECT count(*) FROM pipelines.card_view k WHERE k.stage_id = stage.id)
         - coalesce((SELECT hidden.cards FROM hidden WHERE hidden.stage_id = stage.id), 0) AS total
       FROM stage
     )
     SELECT counted.id AS on_stage, counted.name AS stage_name, counted.position AS stage_position,
       counted.total::int AS total, card.*
     FROM counted LEFT JOIN LATERAL (
       SELECT ${CARD_COLUMNS} FROM pipelines.card_view k
       JOIN contacts.contact c ON c.id = k.contact_id AND c.deleted_at IS NULL
       WHERE k.stage_id = counted.id ${after}
       ORDER BY k.position, k.entered_at, k.id LIMIT $4
     ) card ON true
     ORDER BY counted.position, card.position, card.entered_at, card.id`,
  );

const FIRST_PAGE = board('get_board', '');
const FURTHER_PAGE = board('get_board_after', AFTER);

interface BoardRow extends Omit<CardRow, 'id'> {
  readonly on_stage: string;
  readonly stage_name: string;
  readonly stage_position: number;
  readonly total: number;
  /** null: the stage has no card to show. */
  readonly id: string | null;
}

@QueryHandler(GetBoard)
export class GetBoardHandler implements IQueryHandler<GetBoard> {
  constructor(
    private readonly database: Database,
    private readonly access: PipelinesAccess,
  ) {}

  async execute({ board: { pipelineId, caller, stageId, after, limit } }: GetBoard): Promise<Board> {
    const pipeline = await this.access.pipeline(pipelineId, caller);
    const values = [pipelineId, pipeline.organizationId, stageId ?? null, limit, ...(after ?? [])];
    const page = after ? FURTHER_PAGE : FIRST_PAGE;
    const rows = await this.database.query<BoardRow>(page, values);
    const byStage = Map.groupBy(rows, ({ on_stage: id }) => id);
    return { pipeline, stages: [...byStage.values()].map(stageOfRows) };
  }
}

function stageOfRows(rows: readonly BoardRow[]): BoardStage {
  const { on_stage: id, stage_name: name, stage_position: position, total } = rows[0] as BoardRow;
  const cards = rows.flatMap((row) => (row.id === null ? [] : [boardCardOf({ ...row, id: row.id })]));
  return { id, name, position, total, cards };
}

function boardCardOf(row: CardRow): BoardCard {
  const card = cardOfRow(row);
  return { ...card, key: [card.position, card.enteredAt, row.id] };
}
