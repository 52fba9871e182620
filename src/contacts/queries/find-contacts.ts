import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';
import type { ContactRow, ContactSummary } from '../contact.view.js';
import { CONTACT_COLUMNS, summaryOf } from '../contact.view.js';

/** For rooms, whoever is calling: they ask the caller's right themselves. Unknown and deleted ones are left out; no order. */
export class FindContacts extends Query<ContactSummary[]> {
  constructor(readonly which: { readonly contactIds: readonly string[] }) {
    super();
  }
}

const FIND = statement(
  'find_contacts',
  `SELECT ${CONTACT_COLUMNS} FROM contacts.contact WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL`,
);

@QueryHandler(FindContacts)
export class FindContactsHandler implements IQueryHandler<FindContacts> {
  constructor(private readonly database: Database) {}

  async execute({ which }: FindContacts): Promise<ContactSummary[]> {
    return (await this.database.query<ContactRow>(FIND, [which.contactIds])).map(summaryOf);
  }
}
