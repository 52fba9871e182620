import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ContactAccess } from './contacts.access.js';
import { ContactSearch } from './contacts.search.js';

/** Access checks and search, shared by all parts of contacts. Without routes. */
@Module({
  imports: [CqrsModule],
  providers: [ContactAccess, ContactSearch],
  exports: [ContactAccess, ContactSearch],
})
export class ContactsAccessModule {}
