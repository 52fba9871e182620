import { type RowOf, statement, viewOf } from '#libs/database';
import type { InlineView } from '#libs/event-store';
import type { CardDto } from '../dto/board.dto.js';
import type { Card, CardState } from '../domain/card.js';

/** Omits cards of erased contacts. Locks the contacts, so that none is erased before its row exists. */
const SAVE = statement(
  'save_card_view',
  `WITH contact AS MATERIALIZED (
     SELECT id FROM contacts.contact_summary WHERE id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE)
   INSERT INTO pipelines.card_view (id, pipeline_id, contact_id, stage_id, position, entered_at, version)
   SELECT card.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::float8[], $6::timestamptz[], $7::int[])
     AS card (id, pipeline_id, contact_id, stage_id, position, entered_at, version)
   JOIN contact ON contact.id = card.contact_id
   ON CONFLICT (id) DO UPDATE SET stage_id = excluded.stage_id, position = excluded.position,
     entered_at = excluded.entered_at, version = excluded.version`,
);

export const cardProjection: InlineView<CardState> = {
  name: 'cards',
  tables: ['pipelines.card_view'],
  async save(executor, rows) {
    const known = rows.filter((row) => row.state !== null);
    const column = <T>(value: (card: Card) => T) => known.map(({ state }) => value(state as Card));
    await executor.query(SAVE, [
      known.map(({ id }) => id),
      column(({ pipelineId }) => pipelineId),
      column(({ contactId }) => contactId),
      column(({ stageId }) => stageId),
      column(({ position }) => position),
      column(({ enteredAt }) => enteredAt),
      known.map(({ version }) => version),
    ]);
  },
};

export type CardRow = RowOf<CardDto & { readonly id: string }>;

/** Of `pipelines.card_view k` and `contacts.contact_summary c`. */
export const CARD_COLUMNS = `k.id, k.contact_id AS "contactId", k.pipeline_id AS "pipelineId", k.stage_id AS "stageId", c.name,
  c.email, c.company, k.position, k.entered_at AS "enteredAt", k.version`;

export const cardOfRow = ({ id: _, ...row }: CardRow): CardDto => viewOf<CardDto>(row);
