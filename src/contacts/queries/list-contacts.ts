import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Database, FIRST_ID, inGroup, LAST_ID, ofGroup, statement, type Statement } from '#libs/database';
import { counted, type Counted, type CursorKey, MAX_TOTAL } from '#libs/http';
import { RequestQuery } from '#libs/messages';
import { CONTACT_COLUMNS, type ContactRow, type ContactSummary, summaryOf } from '../views/contact.view.js';

/** `createdAt` is sorted by id, because ids are created in order of time. */
export const CONTACT_SORTS = ['-createdAt', 'createdAt', 'name', '-name'] as const;
export type ContactSort = (typeof CONTACT_SORTS)[number];

/** Where a page ended: the id of its last contact and, in a list by name, its sort key. */
export type ListPlace = readonly string[];

export interface ContactList {
  readonly organizationIds: readonly string[];
  /** Soft-deleted contacts instead of all others. */
  readonly deleted: boolean;
  readonly sort: ContactSort;
  readonly after: ListPlace | null;
  readonly offset: number;
  readonly limit: number;
  readonly includeTotal: boolean;
}

export interface ContactsFound extends Counted {
  readonly contacts: readonly { readonly contact: ContactSummary; readonly place: CursorKey }[];
}

export class ListContacts extends RequestQuery<ContactList, ContactsFound> {}

/** The expression of the index contact_by_name. */
const NAME = 'contacts.sort_name(name, email)';
/** Before and after every id and every folded name. */
const ENDS = {
  ASC: { id: FIRST_ID, name: '' },
  DESC: { id: LAST_ID, name: '\u{10ffff}' },
};

/**
 * Reads per organization as many rows as the page can hold, by the index of the order, then takes the first of all. $1
 * organizations, $2 id of the last contact before, $3 limit, $4 offset, $5 name of the last contact before.
 */
function pageOf(sort: ContactSort, kind: 'live' | 'deleted'): Statement {
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const isByName = sort.endsWith('name');
  const beyond = direction === 'DESC' ? '<' : '>';
  const id = `coalesce($2::uuid, '${ENDS[direction].id}')`;
  const from = direction === 'DESC' ? { before: id } : { after: id };
  const place = isByName
    ? `organization_id = mine.organization_id AND (${NAME}, id) ${beyond} (coalesce($5::text, '${ENDS[direction].name}'), ${id})`
    : ofGroup('organization_id', 'id', 'mine.organization_id', from);
  const [inner, outer] = isByName
    ? [`${NAME} ${direction}, id ${direction}`, `c.sort_name ${direction}, c.id ${direction}`]
    : [`organization_id ${direction}, id ${direction}`, `c.id ${direction}`];
  return statement(
    `list_${kind}_contacts_by_${sort}`,
    `SELECT c.* FROM unnest($1::uuid[]) AS mine (organization_id) CROSS JOIN LATERAL (
       SELECT ${CONTACT_COLUMNS}${isByName ? `, ${NAME} AS sort_name` : ''} FROM contacts.contact
       WHERE ${CONDITIONS[kind]} AND ${place}
       ORDER BY ${inner} LIMIT $3::int + $4::int) AS c
     ORDER BY ${outer} LIMIT $3 OFFSET $4`,
  );
}

const CONDITIONS = { live: 'deleted_at IS NULL', deleted: 'deleted_at IS NOT NULL' };

const PAGES = Object.fromEntries(
  CONTACT_SORTS.map((sort) => [sort, { live: pageOf(sort, 'live'), deleted: pageOf(sort, 'deleted') }]),
) as Record<ContactSort, Record<'live' | 'deleted', Statement>>;

const count = (name: string, condition: string) =>
  statement(
    name,
    `SELECT count(*)::int AS total FROM (
       SELECT FROM unnest($1::uuid[]) AS mine (organization_id) CROSS JOIN LATERAL (
         SELECT FROM contacts.contact WHERE ${inGroup('organization_id', 'mine.organization_id')} AND ${condition}
         ORDER BY organization_id, id LIMIT ${MAX_TOTAL + 1}) AS c
       LIMIT ${MAX_TOTAL + 1}) AS counted`,
  );

const COUNTS = {
  live: count('count_contacts', CONDITIONS.live),
  deleted: count('count_deleted_contacts', CONDITIONS.deleted),
};

@QueryHandler(ListContacts)
export class ListContactsHandler implements IQueryHandler<ListContacts> {
  constructor(private readonly database: Database) {}

  async execute({ request: list }: ListContacts): Promise<ContactsFound> {
    const { organizationIds, sort, after, offset, limit, includeTotal } = list;
    const kind = list.deleted ? 'deleted' : 'live';
    const [id = null, name = null] = after ?? [];
    const values = [organizationIds, id, limit, offset, ...(sort.endsWith('name') ? [name] : [])];
    const rows = await this.database.query<ContactRow & { sort_name?: string }>(PAGES[sort][kind], values);
    const contacts = rows.map((row) => ({ contact: summaryOf(row), place: placeOf(row) }));
    if (!includeTotal) return { contacts };
    const [count] = await this.database.query<{ total: number }>(COUNTS[kind], [organizationIds]);
    return { contacts, ...counted(count?.total ?? 0) };
  }
}

const placeOf = ({ id, sort_name }: ContactRow & { sort_name?: string }): ListPlace =>
  sort_name === undefined ? [id] : [id, sort_name];
