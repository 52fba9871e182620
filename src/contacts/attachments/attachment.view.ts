import type { Author } from '../domain/author.js';

/** Maximum per contact, so that the list is one page. */
export const MAX_ATTACHMENTS = 100;

/** A row of contacts.attachment, as pg reads it. */
export interface AttachmentRow {
  readonly id: string;
  readonly contact_id: string;
  readonly object_key: string;
  readonly file_name: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly author_type: Author['type'];
  readonly author_id: string;
  readonly created_at: Date;
}

export const ATTACHMENT_COLUMNS = [
  'id',
  'contact_id',
  'object_key',
  'file_name',
  'content_type',
  'size',
  'sha256',
  'author_type',
  'author_id',
  'created_at',
].join(', ');

/** Instants: RFC 3339, UTC, milliseconds. */
export interface AttachmentSummary {
  readonly id: string;
  readonly contactId: string;
  readonly fileName: string;
  /** Determined from the bytes, not from what the client sent. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly author: Author;
  readonly createdAt: string;
}

export const summaryOf = (row: AttachmentRow): AttachmentSummary => ({
  id: row.id,
  contactId: row.contact_id,
  fileName: row.file_name,
  contentType: row.content_type,
  size: row.size,
  sha256: row.sha256,
  author: { type: row.author_type, id: row.author_id },
  createdAt: row.created_at.toISOString(),
});
