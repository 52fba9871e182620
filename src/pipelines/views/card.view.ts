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
