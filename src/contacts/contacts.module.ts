import { Module } from '@nestjs/common';
import { AttachmentsModule } from './attachments/attachments.module.js';
import { ContactRecordsModule } from './contact-records.module.js';
import { ContactsAccessModule } from './contacts-access.module.js';
import { CsvModule } from './csv/csv.module.js';
import { NotesModule } from './notes/notes.module.js';

/**
 * Routes come in the order of this list, and a module's own before those of its imports: what has a static path below
 * `/api/contacts` stands before `/api/contacts/{id}`, which is the last.
 */
@Module({ imports: [ContactsAccessModule, CsvModule, NotesModule, AttachmentsModule, ContactRecordsModule] })
export class ContactsModule {}
