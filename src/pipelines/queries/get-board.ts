import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { counted, type Counted, MAX_TOTAL } from '#libs/http';
import { RequestQuery } from '#libs/messages';
import type { PipelineDto } from '../dto/pipeline.dto.js';
import type { CardDto } from '../dto/board.dto.js';
import { CARD_COLUMNS, cardOfRow, type CardRow } from '../views/card.view.js';
import { PipelinesAccess } from '../access/pipelines.access.js';

export interface BoardRequest {
  readonly pipelineId: string;
  readonly caller: Caller;
  readonly stageId?: string;
  /** `keyOf` of the last card of that stage's previous page. */
  readonly after: CardKey | null;
  /** Per stage. */
  readonly limit: number;
}

export interface BoardStage extends Counted {
  readonly id: string;
  readonly name: string;
  /** From 0. */
  readonly position: number;
  readonly cards: readonly BoardCard[];
}

export interface BoardCard extends CardDto {
  readonly key: CardKey;
}

/** Position, time of entering, id. */
export type CardKey = readonly (string | number | null)[];

export interface Board {
  readonly pipeline: PipelineDto;
  readonly stages: readonly BoardStage[];
}

/** Stages in their order, each with its first cards. Cards of deleted contacts are on no board. */
export class GetBoard extends RequestQuery<BoardRequest, Board> {}

const AFTER = 'AND (k.position, k.entered_at, k.id) > ($5::float8, $6::timestamptz, $7::uuid)';

/**
 * Up to `MAX_TOTAL` + 1 cards along the index of the page, each looked up in the index of deleted contacts. OFFSET: otherwise the
 * planner reads all deleted contacts, and the cards of all organizations.
 */
const TOTAL = `(SELECT count(*)::int FROM (
  SELECT FROM pipelines.card_view k WHERE k.stage_id = stage.id AND NOT EXISTS (
    SELECT FROM contacts.contact_summary c
    WHERE c.organization_id = $2 AND c.deleted_at IS NOT NULL AND c.id = k.contact_id OFFSET 0)
  ORDER BY k.position, k.entered_at, k.id LIMIT ${MAX_TOTAL + 1}) AS counted)`;

const board = (name: string, after: string) =>
  statement(
    name,
    `SELECT stage.id AS on_stage, stage.name AS stage_name, stage.position AS stage_position, stage.total, card.*
     FROM (
       SELECT id, name, position, ${TOTAL} AS total FROM pipelines.stage_view stage
       WHERE pipeline_id = $1 AND position IS NOT NULL AND ($3::uuid IS NULL OR id = $3) OFFSET 0
     ) stage LEFT JOIN LATERAL (
       SELECT ${CARD_COLUMNS} FROM pipelines.card_view k
       JOIN contacts.contact_summary c ON c.id = k.contact_id AND c.deleted_at IS NULL
       WHERE k.stage_id = stage.id ${after}
       ORDER BY k.position, k.entered_at, k.id LIMIT $4
     ) card ON true
     ORDER BY stage.position, card.position, card."enteredAt", card.id`,
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

  async execute({ request: { pipelineId, caller, stageId, after, limit } }: GetBoard): Promise<Board> {
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
  const cards = rows.flatMap(
    ({ on_stage: _stage, stage_name: _name, stage_position: _position, total: _total, id: card, ...row }) =>
      card === null ? [] : [boardCardOf({ ...row, id: card })],
  );
  return { id, name, position, ...counted(total), cards };
}

function boardCardOf(row: CardRow): BoardCard {
  const card = cardOfRow(row);
  return { ...card, key: [card.position, card.enteredAt, row.id] };
}
