import { Module } from '@nestjs/common';
import { ContactsAccessModule } from './contacts-access.module.js';

/**
 * Routes come in the order of this list, and a module's own before those of its imports: what has a static path below
 * `/api/contacts` stands before `/api/contacts/{id}`.
 */
@Module({ imports: [ContactsAccessModule] })
export class ContactsModule {}
