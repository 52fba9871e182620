import { Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { ContactNotFound } from '../domain/contact.errors.js';
import { CONTACT_COLUMNS, type ContactRow, type ContactSummary, summaryOf } from '../views/contact.view.js';

const FIND = statement(
  'find_contact',
  `SELECT ${CONTACT_COLUMNS} FROM contacts.contact WHERE id = $1 AND (deleted_at IS NULL OR $2)`,
);

/** Access checks of contacts. Contacts belong to an organization, never to a brand. */
@Injectable()
export class ContactAccess {
  constructor(private readonly database: Database) {}

  /**
   * The current contact, read in the running transaction if there is one.
   * @param id a UUID in lower case.
   * @param options.includeDeleted includes soft-deleted contacts.
   * @throws ContactNotFound when unknown, deleted or of another organization; ScopeIsMissing.
   */
  async find(
    id: string,
    caller: Caller,
    scope: Scope,
    options: { readonly includeDeleted?: boolean } = {},
  ): Promise<ContactRow> {
    const [row] = await this.database.query<ContactRow>(FIND, [id, options.includeDeleted ?? false]);
    if (!row) throw new ContactNotFound();
    caller.must(scope, { organizationId: row.organization_id }, () => new ContactNotFound());
    return row;
  }
}

export class GetContact extends RequestQuery<{ contactId: string; caller: Caller }, ContactSummary> {}

@QueryHandler(GetContact)
export class GetContactHandler implements IQueryHandler<GetContact> {
  constructor(private readonly access: ContactAccess) {}

  async execute({ request: { contactId, caller } }: GetContact): Promise<ContactSummary> {
    return summaryOf(await this.access.find(contactId, caller, 'contacts.read'));
  }
}
