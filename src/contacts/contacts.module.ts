import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { provideConfig } from '#libs/config';
import { AttachmentObjects } from './attachments/attachment-objects.js';
import { AttachmentsController } from './attachments/attachments.controller.js';
import { AddAttachmentHandler, DeleteAttachmentHandler } from './attachments/change-attachments.js';
import {
  AttachmentAccess,
  ListAttachmentsHandler,
  OpenAttachmentHandler,
} from './attachments/read-attachments.js';
import { ChangeContactHandler } from './commands/change-contacts.js';
import { CreateContactHandler } from './commands/create-contact.js';
import { AttachmentsConfig, CsvConfig } from './contacts.config.js';
import { Contacts } from './contacts.store.js';
import { ContactLog } from './contacts.stream.js';
import { ExportContactsHandler, RecordExportHandler } from './csv/export/export-contacts.js';
import { CsvController } from './csv/http/csv.controller.js';
import { GetFailedRowsHandler, GetImportHandler } from './csv/import/failed-rows.js';
import { ImportContactsHandler } from './csv/import/import-contacts.js';
import { ImportLock } from './csv/import/import-lock.js';
import { ContactsController } from './http/contacts.controller.js';
import { AddNoteHandler, DeleteNoteHandler, NoteChanges, UpdateNoteHandler } from './notes/change-notes.js';
import { NotesController } from './notes/notes.controller.js';
import { GetNoteHandler, ListNotesHandler } from './notes/read-notes.js';
import { ContactAccess, GetContactHandler } from './queries/contacts.access.js';
import { ContactSearch } from './queries/contacts.search.js';
import { ListContactsHandler } from './queries/list-contacts.js';
import { SearchContactsHandler } from './queries/search-contacts.js';

const RECORDS = [
  ContactLog,
  Contacts,
  ContactAccess,
  ContactSearch,
  CreateContactHandler,
  ChangeContactHandler,
  GetContactHandler,
  ListContactsHandler,
  SearchContactsHandler,
];
const CSV = [
  provideConfig(CsvConfig),
  ImportLock,
  ImportContactsHandler,
  GetImportHandler,
  GetFailedRowsHandler,
  ExportContactsHandler,
  RecordExportHandler,
];
const NOTES = [
  NoteChanges,
  AddNoteHandler,
  UpdateNoteHandler,
  DeleteNoteHandler,
  GetNoteHandler,
  ListNotesHandler,
];
const ATTACHMENTS = [
  provideConfig(AttachmentsConfig),
  AttachmentAccess,
  AttachmentObjects,
  AddAttachmentHandler,
  DeleteAttachmentHandler,
  ListAttachmentsHandler,
  OpenAttachmentHandler,
];

/** Routes are registered in the order of the controllers: static paths below `/api/contacts` come before `/api/contacts/{id}`. */
@Module({
  imports: [CqrsModule],
  controllers: [CsvController, NotesController, AttachmentsController, ContactsController],
  providers: [...RECORDS, ...CSV, ...NOTES, ...ATTACHMENTS],
})
export class ContactsModule {}
