import { Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { Database, type RowOf, statement, viewOf } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { AttachmentNotFound } from '../domain/contact.errors.js';
import { ContactAccess } from '../queries/contacts.access.js';
import type { AttachmentDto } from './attachment.dto.js';

/** Maximum per contact, so that the list is one page. */
export const MAX_ATTACHMENTS = 100;

export type AttachmentRow = RowOf<AttachmentDto>;

export const ATTACHMENT_COLUMNS = `id, contact_id AS "contactId", file_name AS "fileName", content_type AS "contentType", size,
  sha256, json_build_object('type', author_type, 'id', author_id) AS author, created_at AS "createdAt"`;

export const attachmentOf = (row: AttachmentRow): AttachmentDto => viewOf<AttachmentDto>(row);

interface Found extends AttachmentRow {
  readonly organizationId: string;
  /** Of its object. */
  readonly key: string;
}

const FIND = statement(
  'find_attachment',
  `SELECT attachment.*, contact.organization_id AS "organizationId"
   FROM (SELECT ${ATTACHMENT_COLUMNS}, object_key AS key FROM contacts.attachment WHERE id = $1) AS attachment
   JOIN contacts.contact ON contact.id = attachment."contactId" AND contact.deleted_at IS NULL`,
);

@Injectable()
export class AttachmentAccess {
  constructor(private readonly database: Database) {}

  /** @throws AttachmentNotFound when unknown, of another organization, or of a deleted contact; ScopeIsMissing */
  async find(id: string, caller: Caller, scope: Scope): Promise<Found> {
    const [row] = await this.database.query<Found>(FIND, [id]);
    if (!row) throw new AttachmentNotFound();
    caller.must(scope, { organizationId: row.organizationId }, () => new AttachmentNotFound());
    return row;
  }
}

/** All attachments of one contact, newest first; at most `MAX_ATTACHMENTS`. */
export class ListAttachments extends RequestQuery<{ contactId: string; caller: Caller }, AttachmentDto[]> {}

const LIST = statement(
  'list_attachments',
  `SELECT ${ATTACHMENT_COLUMNS} FROM contacts.attachment WHERE contact_id = $1 ORDER BY id DESC`,
);

@QueryHandler(ListAttachments)
export class ListAttachmentsHandler implements IQueryHandler<ListAttachments> {
  constructor(
    private readonly database: Database,
    private readonly access: ContactAccess,
  ) {}

  async execute({ request: { contactId, caller } }: ListAttachments): Promise<AttachmentDto[]> {
    await this.access.find(contactId, caller, 'contacts.read');
    return (await this.database.query<AttachmentRow>(LIST, [contactId])).map(attachmentOf);
  }
}

export class OpenAttachment extends RequestQuery<
  { attachmentId: string; caller: Caller },
  AttachmentDto & { readonly key: string }
> {}

@QueryHandler(OpenAttachment)
export class OpenAttachmentHandler implements IQueryHandler<OpenAttachment> {
  constructor(private readonly access: AttachmentAccess) {}

  async execute({ request: { attachmentId, caller } }: OpenAttachment) {
    const { key, organizationId: _, ...row } = await this.access.find(attachmentId, caller, 'contacts.read');
    return { ...attachmentOf(row), key };
  }
}
