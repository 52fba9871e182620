import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { provideConfig } from '#libs/config';
import { ContactsAccessModule } from '../queries/contacts-access.module.js';
import { ContactLog } from '../contacts.stream.js';
import { AttachmentAccess } from './queries/attachments.access.js';
import { AttachmentsConfig } from './attachments.config.js';
import { AttachmentsController } from './http/attachments.controller.js';
import { AttachmentObjects } from './objects/attachments.objects.js';
import { AddAttachmentHandler } from './commands/add-attachment.js';
import { DeleteAttachmentHandler } from './commands/delete-attachment.js';
import { ListAttachmentsHandler } from './queries/list-attachments.js';
import { OpenAttachmentHandler } from './queries/open-attachment.js';

/** `/api/contacts/{id}/attachments` and `/api/attachments/{id}`. */
@Module({
  imports: [CqrsModule, ContactsAccessModule],
  controllers: [AttachmentsController],
  providers: [
    provideConfig(AttachmentsConfig),
    ContactLog,
    AttachmentAccess,
    AttachmentObjects,
    AddAttachmentHandler,
    DeleteAttachmentHandler,
    ListAttachmentsHandler,
    OpenAttachmentHandler,
  ],
})
export class AttachmentsModule {}
