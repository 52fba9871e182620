import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { ContactAccess } from '../../queries/contacts.access.js';
import {
  ATTACHMENT_COLUMNS,
  type AttachmentRow,
  type AttachmentSummary,
  summaryOf,
} from '../views/attachment.view.js';

export interface ListAttachmentsRequest {
  readonly contactId: string;
  readonly caller: Caller;
}

/** All attachments of one contact, newest first; at most `MAX_ATTACHMENTS`. @throws ContactNotFound, ScopeIsMissing */
export class ListAttachments extends Query<AttachmentSummary[]> {
  constructor(readonly request: ListAttachmentsRequest) {
    super();
  }
}

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
