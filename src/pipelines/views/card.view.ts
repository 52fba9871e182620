import { statement } from '#libs/database';
import type { InlineView } from '#libs/event-store';
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

/** A contact on a board. Instants: RFC 3339, UTC, milliseconds. */
export interface CardDetails {
  readonly contactId: string;
  readonly pipelineId: string;
  readonly stageId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly company: string | null;
  readonly position: number;
  readonly enteredAt: string;
  readonly version: number;
}

/** A row of pipelines.card_view with the contact's own, as pg reads it. */
export interface CardRow {
  readonly id: string;
  readonly contact_id: string;
  readonly pipeline_id: string;
  readonly stage_id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly company: string | null;
  readonly position: number;
  readonly entered_at: Date;
  readonly version: number;
}

/** Of `pipelines.card_view k` and `contacts.contact_summary c`. */
export const CARD_COLUMNS =
  'k.id, k.contact_id, k.pipeline_id, k.stage_id, c.name, c.email, c.company, k.position, k.entered_at, k.version';

export const cardOfRow = (row: CardRow): CardDetails => ({
  contactId: row.contact_id,
  pipelineId: row.pipeline_id,
  stageId: row.stage_id,
  name: row.name,
  email: row.email,
  company: row.company,
  position: row.position,
  enteredAt: row.entered_at.toISOString(),
  version: row.version,
});
