import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ContactAccess } from './contacts.access.js';

/** Whose contacts these are: what every part of the room asks first. Without routes. */
@Module({
  imports: [CqrsModule],
  providers: [ContactAccess],
  exports: [ContactAccess],
})
export class ContactsAccessModule {}
