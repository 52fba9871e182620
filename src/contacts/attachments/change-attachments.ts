import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement, type Transaction } from '#libs/database';
import { RequestCommand } from '#libs/messages';
import { StorageQuota } from '#libs/uploads';
import { ContactLog } from '../contacts.stream.js';
import {
  AttachmentNotFound,
  ContactHasTooManyAttachments,
  ContactNotFound,
} from '../domain/contact.errors.js';
import { ContactAccess } from '../queries/contacts.access.js';
import type { AttachmentEvent } from '../domain/contact.events.js';
import { AttachmentObjects } from './attachment-objects.js';
import {
  ATTACHMENT_COLUMNS,
  AttachmentAccess,
  attachmentOf,
  type AttachmentRow,
  MAX_ATTACHMENTS,
} from './read-attachments.js';
import type { AttachmentDto } from './attachment.dto.js';

export interface StoredFile {
  readonly id: string;
  readonly key: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

export class AddAttachment extends RequestCommand<
  { contactId: string; file: StoredFile; caller: Caller },
  AttachmentDto
> {}

/** Returns no row when the contact was deleted meanwhile. */
const INSERT = statement(
  'insert_attachment',
  `INSERT INTO contacts.attachment
     (id, contact_id, object_key, file_name, content_type, size, sha256, author_type, author_id)
   SELECT $1, id, $3, $4, $5, $6, $7, $8, $9 FROM contacts.contact WHERE id = $2 AND deleted_at IS NULL
   RETURNING ${ATTACHMENT_COLUMNS}`,
);

const COUNT = statement(
  'count_attachments',
  'SELECT count(*)::int AS total FROM contacts.attachment WHERE contact_id = $1',
);

@CommandHandler(AddAttachment)
export class AddAttachmentHandler implements ICommandHandler<AddAttachment> {
  constructor(
    private readonly database: Database,
    private readonly access: ContactAccess,
    private readonly log: ContactLog,
    private readonly objects: AttachmentObjects,
    private readonly quota: StorageQuota,
  ) {}

  async execute({ request: { contactId, file, caller } }: AddAttachment): Promise<AttachmentDto> {
    const contact = await this.access.find(contactId, caller, 'contacts.write');
    const data = { contactId, attachmentId: file.id };
    const event: AttachmentEvent = { type: 'AttachmentAdded', data };
    return this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, contact, event);
      await this.objects.adopt(transaction, file.key);
      const row = await this.insert(transaction, contactId, file, caller);
      const [counted] = await transaction.query<{ total: number }>(COUNT, [contactId]);
      await this.quota.assertWithinQuota(transaction, contact.organization_id);
      if ((counted?.total ?? 0) > MAX_ATTACHMENTS) throw new ContactHasTooManyAttachments(MAX_ATTACHMENTS);
      return attachmentOf(row);
    });
  }

  private async insert(
    transaction: Transaction,
    contactId: string,
    { id, key, fileName, contentType, size, sha256 }: StoredFile,
    caller: Caller,
  ): Promise<AttachmentRow> {
    const values = [id, contactId, key, fileName, contentType, size, sha256, caller.type, caller.id];
    const [row] = await transaction.query<AttachmentRow>(INSERT, values);
    if (!row) throw new ContactNotFound();
    return row;
  }
}

/**
 * Deletes the attachment permanently; the file too, at once or when the object store is available again. @throws
 * AttachmentNotFound, ScopeIsMissing
 */
export class DeleteAttachment extends RequestCommand<{ attachmentId: string; caller: Caller }, void> {}

/** A trigger stores the key of the object in contacts.object_to_remove. */
const DELETE = statement('delete_attachment', 'DELETE FROM contacts.attachment WHERE id = $1 RETURNING id');

@CommandHandler(DeleteAttachment)
export class DeleteAttachmentHandler implements ICommandHandler<DeleteAttachment> {
  constructor(
    private readonly database: Database,
    private readonly access: AttachmentAccess,
    private readonly log: ContactLog,
    private readonly objects: AttachmentObjects,
  ) {}

  async execute({ request: { attachmentId, caller } }: DeleteAttachment): Promise<void> {
    const row = await this.access.find(attachmentId, caller, 'contacts.write');
    const { contactId, organizationId: organization_id, key } = row;
    const event: AttachmentEvent = { type: 'AttachmentDeleted', data: { contactId, attachmentId } };
    await this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, { id: contactId, organization_id }, event);
      if ((await transaction.query(DELETE, [attachmentId])).length === 0) throw new AttachmentNotFound();
    });
    await this.objects.discard(key);
  }
}
