import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { ContactLog } from '../../contacts.stream.js';
import { AttachmentNotFound } from '../domain/attachment.errors.js';
import type { AttachmentEvent } from '../domain/attachment.events.js';
import { AttachmentAccess } from '../queries/attachments.access.js';
import { AttachmentObjects } from '../objects/attachments.objects.js';

export interface DeleteAttachmentRequest {
  readonly attachmentId: string;
  readonly caller: Caller;
}

/**
 * Deletes the attachment permanently; the file too, at once or when the object store is available again. @throws
 * AttachmentNotFound, ScopeIsMissing
 */
export class DeleteAttachment extends Command<void> {
  constructor(readonly request: DeleteAttachmentRequest) {
    super();
  }
}

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
    const { contact_id: contactId, organization_id, object_key: key } = row;
    const event: AttachmentEvent = { type: 'AttachmentDeleted', data: { contactId, attachmentId } };
    await this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, { id: contactId, organization_id }, event);
      if ((await transaction.query(DELETE, [attachmentId])).length === 0) throw new AttachmentNotFound();
    });
    await this.objects.discard(key);
  }
}
