import type { Author } from '../domain/author.js';

/** A row of contacts.note, as pg reads it. */
export interface NoteRow {
  readonly id: string;
  readonly contact_id: string;
  readonly body: string;
  readonly author_type: Author['type'];
  readonly author_id: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const NOTE_COLUMNS = 'id, contact_id, body, author_type, author_id, version, created_at, updated_at';

/** Instants: RFC 3339, UTC, milliseconds. */
export interface NoteSummary {
  readonly id: string;
  readonly contactId: string;
  readonly body: string;
  readonly author: Author;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

export const summaryOf = (row: NoteRow): NoteSummary => ({
  id: row.id,
  contactId: row.contact_id,
  body: row.body,
  author: { type: row.author_type, id: row.author_id },
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
});
