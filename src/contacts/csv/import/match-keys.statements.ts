import type { MatchKind } from '../rows/row-contact.js';

export type MatchKinds = ReadonlySet<MatchKind>;

/** The separator of row-contact.ts. */
const UNIT = 'chr(31)';
const joined = (...parts: string[]) => parts.join(` || ${UNIT} || `);
const isKind = (kind: MatchKind) => `match_key LIKE '${kind}' || ${UNIT} || '%'`;
const phoneKey = (table: string) =>
  joined(`'phone'`, `contacts.phone_key(${table}.phones[1])`, `contacts.person_key(${table}.name)`);

const companyKey = (table: string) =>
  joined(`'company'`, `contacts.name_key(${table}.company)`, `contacts.person_key(${table}.name)`);

/**
 * A row without an address belongs to a row of the file with the same external id, or the same name and phone, if there is
 * one.
 */
const ofFirst = (kind: MatchKind, same: string, order: string) =>
  `CASE WHEN ${isKind(kind)} THEN first_value(match_key) OVER (PARTITION BY ${same} ORDER BY ${order}, row)
        ELSE match_key END AS match_key`;

/**
 * Valid rows with their complete keys. With `duplicates` = `create` they are staged without id and key and find no
 * contact.
 */
export function validRows(kinds: MatchKinds): string {
  if (kinds.size === 0) return 'valid AS (SELECT row, id, match_key FROM import_row WHERE NOT failed)';
  return `
  keyed AS (
    SELECT row, id, external_id, email_key,
      ${kinds.has('phone') ? phoneKey('r') : 'NULL'} AS phone_key,
      CASE WHEN ${isKind('mailbox')} THEN ${joined('match_key', 'contacts.person_key(r.name)')}
           WHEN ${isKind('phone')} THEN ${phoneKey('r')}
           WHEN ${isKind('company')} THEN ${companyKey('r')} ELSE match_key END AS match_key
    FROM import_row AS r WHERE NOT failed),
  by_external AS (
    SELECT row, id, phone_key,
      ${kinds.has('external') ? ofFirst('external', 'external_id', 'email_key IS NULL') : 'match_key'}
    FROM keyed),
  valid AS (
    SELECT row, id, ${kinds.has('phone') ? ofFirst('phone', 'phone_key', isKind('phone')) : 'match_key'}
    FROM by_external)`;
}

const KEYS = 'SELECT DISTINCT match_key FROM valid WHERE match_key IS NOT NULL';

/** The keys of rows. `is_only`: the file has no other name for the mailbox, and no other phone for the name. */
export const keysOf = (kinds: MatchKinds): string =>
  kinds.size === 0
    ? `keys AS (${KEYS})`
    : `
  split_keys AS (
    SELECT match_key, split_part(match_key, ${UNIT}, 1) AS kind, split_part(match_key, ${UNIT}, 2) AS value,
           split_part(match_key, ${UNIT}, 3) AS name_key
    FROM (${KEYS}) AS k),
  keys AS (
    SELECT *, count(*) OVER (PARTITION BY kind, CASE kind WHEN 'phone' THEN name_key ELSE value END) = 1 AS is_only
    FROM split_keys)`;

/** One index lookup per value, so that no plan compares all rows with all contacts. */
const matchesByIndex = (key: string, condition: string, values: string) => `
      SELECT ${key} AS match_key, 0 AS rank, c.id, c.deleted_at
      FROM (SELECT DISTINCT ${values}) AS k
      CROSS JOIN LATERAL (
        SELECT * FROM contacts.contact AS c WHERE c.organization_id = $1 AND ${condition} OFFSET 0) AS c`;

/** Contacts with the plain key of a row. @param column of the contact, with an index per organization */
export const plainMatches = (column: string): string =>
  matchesByIndex('k.value', `c.${column} = k.value`, 'match_key AS value FROM keys');

export const NO_MATCHES =
  'SELECT NULL AS match_key, 0 AS rank, NULL::uuid AS id, NULL::timestamptz AS deleted_at WHERE false';

const valuesOf = (kind: MatchKind, column = 'value') => `${column} AS value FROM keys WHERE kind = '${kind}'`;

/** By the index of names; with words in another order the name can be that of another person. */
const withPhone = (key: string) =>
  `c.phones <> '{}' AND contacts.name_key(c.name) = ANY(contacts.name_orders(${key}))`;

/**
 * Contacts of the mailboxes, external ids and names of the file, by their own keys. Grouped instead of joined with the
 * keys of rows: the work grows linearly with the number of people who share a mailbox.
 */
const EXACT_MATCHES: Readonly<Record<MatchKind, string>> = {
  mailbox: matchesByIndex(
    joined(`'mailbox'`, 'c.email_key', 'contacts.person_key(c.name)'),
    'c.email_key = k.value',
    valuesOf('mailbox'),
  ),
  external: matchesByIndex(
    joined(`'external'`, 'c.external_id'),
    'c.external_id = k.value',
    valuesOf('external'),
  ),
  phone: matchesByIndex(phoneKey('c'), withPhone('k.value'), valuesOf('phone', 'name_key')),
  // Contacts with an address are found by it: of one company and name there can be several.
  company: matchesByIndex(
    companyKey('c'),
    'c.email_key IS NULL AND c.company IS NOT NULL AND contacts.name_key(c.company) = k.value',
    valuesOf('company'),
  ),
};

export const exactMatches = (kinds: MatchKinds): string[] => [...kinds].map((kind) => EXACT_MATCHES[kind]);

/** The keys of rows whose primary address is an additional address of a row or contact. */
export const keysOfAddress = (kinds: MatchKinds, address: string, named: string): string =>
  kinds.has('mailbox')
    ? `ARRAY[${address}.email_key, ${joined(`'mailbox'`, `${address}.email_key`, `contacts.person_key(${named}.name)`)}]`
    : `ARRAY[${address}.email_key]`;

export const additionalAddressMatches = (kinds: MatchKinds): string => `
      SELECT ${kinds.has('mailbox') ? `unnest(${keysOfAddress(kinds, 'a', 'c')})` : 'a.email_key'} AS match_key, 1 AS rank, c.id, c.deleted_at
      FROM contacts.contact AS c CROSS JOIN unnest(c.additional_email_keys) AS a (email_key)
      WHERE c.organization_id = $1 AND c.additional_email_keys <> '{}'`;

/** The index conditions of contacts, and which matches count. */
const PARTIAL_MATCHES: Readonly<
  Record<Exclude<MatchKind, 'external' | 'company'>, readonly [found: string, counts: string]>
> = {
  mailbox: ['c.email_key = k.value', `(k.name_key = '' OR c.name IS NULL)`],
  phone: [
    withPhone('k.name_key'),
    'contacts.person_key(c.name) = k.name_key AND k.value IN (SELECT contacts.phone_key(phone) FROM unnest(c.phones) AS phone)',
  ],
};

/**
 * Live contacts for keys without an exact match: without a name on either side, the address alone decides; and the phone
 * can be any phone of the contact. Only when the file is unambiguous: otherwise the same file would match other contacts
 * the next time.
 */
export function partialMatches(kinds: MatchKinds): string[] {
  return (['mailbox', 'phone'] as const)
    .filter((kind) => kinds.has(kind))
    .map((kind) => {
      const [found, counts] = PARTIAL_MATCHES[kind];
      // With the condition on deleted contacts inside, the planner would choose the index of all live contacts of the
      // organization.
      return `
      SELECT k.match_key, 2 AS rank, c.id, c.deleted_at
      FROM (SELECT * FROM keys WHERE kind = '${kind}' AND is_only) AS k
      CROSS JOIN LATERAL (
        SELECT * FROM contacts.contact AS c WHERE c.organization_id = $1 AND ${found} OFFSET 0) AS c
      WHERE c.deleted_at IS NULL AND ${counts}`;
    });
}
