import { Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { ContactAccess } from '../queries/contacts.access.js';
import { AttachmentNotFound } from '../domain/contact.errors.js';
import {
  ATTACHMENT_COLUMNS,
  type AttachmentRow,
  type AttachmentSummary,
  summaryOf,
} from './attachment.view.js';

interface Found extends AttachmentRow {
  readonly organization_id: string;
}

const FIND = statement(
  'find_attachment',
  `SELECT attachment.*, contact.organization_id
   FROM (SELECT ${ATTACHMENT_COLUMNS} FROM contacts.attachment WHERE id = $1) AS attachment
   JOIN contacts.contact ON contact.id = attachment.contact_id AND contact.deleted_at IS NULL`,
);

/** Access to attachments by id: the organization is that of the contact. */
@Injectable()
export class AttachmentAccess {
  constructor(private readonly database: Database) {}

  /** @throws AttachmentNotFound when unknown, of another organization, or of a deleted contact; ScopeIsMissing */
  async find(id: string, caller: Caller, scope: Scope): Promise<Found> {
    const [row] = await this.database.query<Found>(FIND, [id]);
    if (!row) throw new AttachmentNotFound();
    caller.must(scope, { organizationId: row.organization_id }, () => new AttachmentNotFound());
    return row;
  }
}

/** All attachments of one contact, newest first; at most `MAX_ATTACHMENTS`. */
export class ListAttachments extends RequestQuery<
  { contactId: string; caller: Caller },
  AttachmentSummary[]
> {}

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

  async execute({ request: { contactId, caller } }: ListAttachments): Promise<AttachmentSummary[]> {
    await this.access.find(contactId, caller, 'contacts.read');
    return (await this.database.query<AttachmentRow>(LIST, [contactId])).map(summaryOf);
  }
}

interface OpenAttachmentRequest {
  readonly attachmentId: string;
  readonly caller: Caller;
}

/** The facts of an attachment and the key of its object. */
export class OpenAttachment extends RequestQuery<
  OpenAttachmentRequest,
  AttachmentSummary & { readonly key: string }
> {}

@QueryHandler(OpenAttachment)
export class OpenAttachmentHandler implements IQueryHandler<OpenAttachment> {
  constructor(private readonly access: AttachmentAccess) {}

  async execute({ request: { attachmentId, caller } }: OpenAttachment) {
    const row = await this.access.find(attachmentId, caller, 'contacts.read');
    return { ...summaryOf(row), key: row.object_key };
  }
}
