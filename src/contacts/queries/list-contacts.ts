import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Statement } from '#libs/database';
import { Database, statement } from '#libs/database';
import type { ContactRow, ContactSummary } from '../contact.view.js';
import { CONTACT_COLUMNS, summaryOf } from '../contact.view.js';

export interface ContactList {
  readonly organizationIds: readonly string[];
  /** Soft-deleted ones instead of all others. */
  readonly deleted: boolean;
  /** Id of the last contact of the page before. */
  readonly after: string | null;
  readonly limit: number;
  readonly includeTotal: boolean;
}

export interface ContactsFound {
  readonly contacts: ContactSummary[];
  /** Not counted beyond `MAX_TOTAL`. */
  readonly total?: number;
}

/** Newest first. */
export class ListContacts extends Query<ContactsFound> {
  constructor(readonly list: ContactList) {
    super();
  }
}

/** How far lists are counted: a few milliseconds along the index. */
export const MAX_TOTAL = 50_000;

/** Along the index of the order, per organization as many as the page can take, then the first of all of them. */
const page = (name: string, condition: string) =>
  statement(
    name,
    `SELECT c.* FROM unnest($1::uuid[]) AS mine (organization_id) CROSS JOIN LATERAL (
       SELECT ${CONTACT_COLUMNS} FROM contacts.contact
       WHERE organization_id = mine.organization_id AND ${condition}
         AND id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
       ORDER BY id DESC LIMIT $3) AS c
     ORDER BY c.id DESC LIMIT $3`,
  );

const count = (name: string, condition: string) =>
  statement(
    name,
    `SELECT count(*)::int AS total FROM (
       SELECT FROM contacts.contact WHERE organization_id = ANY($1::uuid[]) AND ${condition} LIMIT ${MAX_TOTAL + 1}
     ) AS counted`,
  );

interface Statements {
  readonly page: Statement;
  readonly count: Statement;
}

const LIVE: Statements = {
  page: page('list_contacts', 'deleted_at IS NULL'),
  count: count('count_contacts', 'deleted_at IS NULL'),
};
const DELETED: Statements = {
  page: page('list_deleted_contacts', 'deleted_at IS NOT NULL'),
  count: count('count_deleted_contacts', 'deleted_at IS NOT NULL'),
};

@QueryHandler(ListContacts)
export class ListContactsHandler implements IQueryHandler<ListContacts> {
  constructor(private readonly database: Database) {}

  async execute({ list }: ListContacts): Promise<ContactsFound> {
    const { organizationIds, deleted, after, limit, includeTotal } = list;
    const statements = deleted ? DELETED : LIVE;
    const rows = await this.database.query<ContactRow>(statements.page, [organizationIds, after, limit]);
    const contacts = rows.map(summaryOf);
    if (!includeTotal) return { contacts };
    const [counted] = await this.database.query<{ total: number }>(statements.count, [organizationIds]);
    const total = counted?.total ?? 0;
    return total > MAX_TOTAL ? { contacts } : { contacts, total };
  }
}
