import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CreateContactHandler } from './commands/create-contact.js';
import { DeleteContactHandler } from './commands/delete-contact.js';
import { EraseContactHandler } from './commands/erase-contact.js';
import { RestoreContactHandler } from './commands/restore-contact.js';
import { UpdateContactHandler } from './commands/update-contact.js';
import { ContactsAccessModule } from './queries/contacts-access.module.js';
import { ContactLog } from './contacts.stream.js';
import { ContactsController } from './http/contacts.controller.js';
import { Contacts } from './contacts.store.js';
import { GetContactHandler } from './queries/get-contact.js';
import { ListContactsHandler } from './queries/list-contacts.js';
import { SearchContactsHandler } from './queries/search-contacts.js';

/** `/api/contacts` and `/api/contacts/{id}`. */
@Module({
  imports: [CqrsModule, ContactsAccessModule],
  controllers: [ContactsController],
  providers: [
    ContactLog,
    Contacts,
    CreateContactHandler,
    UpdateContactHandler,
    DeleteContactHandler,
    RestoreContactHandler,
    EraseContactHandler,
    GetContactHandler,
    ListContactsHandler,
    SearchContactsHandler,
  ],
})
export class ContactRecordsModule {}
