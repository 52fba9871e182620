import { Module } from '@nestjs/common';
import { AttachmentsModule } from './attachments/attachments.module.js';
import { ContactRecordsModule } from './contact-records.module.js';
import { ContactsAccessModule } from './queries/contacts-access.module.js';
import { CsvModule } from './csv/csv.module.js';
import { NotesModule } from './notes/notes.module.js';

/**
 * Routes are registered in the order of this list, and those of a module before those of its imports: static paths below
 * `/api/contacts` come before `/api/contacts/{id}`, which is last.
 */
@Module({ imports: [ContactsAccessModule, CsvModule, NotesModule, AttachmentsModule, ContactRecordsModule] })
export class ContactsModule {}
