import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ContactAccess } from './contacts.access.js';
import { ContactSearch } from './contacts.search.js';

/** Whose contacts these are and how to find them: what every part of the room asks first. Without routes. */
@Module({
  imports: [CqrsModule],
  providers: [ContactAccess, ContactSearch],
  exports: [ContactAccess, ContactSearch],
})
export class ContactsAccessModule {}
