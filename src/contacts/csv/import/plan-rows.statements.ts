import { CONTACT_FIELDS } from '../../domain/contact-fields.js';
import type { ImportRules } from '../dto/import-contacts.dto.js';
import {
  additionalAddressMatches,
  exactMatches,
  keysOf,
  keysOfAddress,
  type MatchKinds,
  NO_MATCHES,
  partialMatches,
  plainMatches,
  validRows,
} from './match-keys.statements.js';
import { FAULT, mergePolicyOf } from './plan-contacts.statements.js';
import { STAGED } from './staging.statements.js';

const ownKey = (table: string) => `'key ' || ${table}.match_key`;

/**
 * Rows by whether they are written and whether they found a contact. As columns: the planner expects half of the rows to
 * have a boolean, but hardly any to have `outcome IS NULL`, and would then compare every row with every other one.
 */
const TO_LINK = `
  to_link AS MATERIALIZED (
    SELECT d.*, outcome IS NULL AS is_written, target IS NULL AND outcome IS NULL AND code IS NULL AS is_new,
           row_number() OVER (PARTITION BY outcome, match_key ORDER BY row) = 1 AS is_first
    FROM decided AS d)`;

/**
 * The additional addresses that contacts get, for keys of rows with such a primary address. When later rows of a contact
 * are skipped, only its first row adds addresses.
 */
const mentions = (kinds: MatchKinds, skips: boolean) => `
  mentions AS (
    SELECT a.match_key, coalesce(d.target::text, ${ownKey('d')}, 'row ' || d.row) AS who, min(d.row) AS row
    FROM to_link AS d JOIN import_row AS r USING (row)
    CROSS JOIN unnest(r.additional_email_keys) AS e (email_key)
    CROSS JOIN unnest(${keysOfAddress(kinds, 'e', 'r')}) AS a (match_key)
    WHERE d.is_written${skips ? ' AND d.is_first' : ''}
    GROUP BY 1, 2)`;

/** Keys without a contact whose address exactly one contact of an earlier row has. Several contacts are ambiguous. */
const LINKS = `
  links AS MATERIALIZED (
    SELECT match_key, who
    FROM (
      SELECT match_key, CASE WHEN count(who) = 1 AND min(mentioned_in) < min(row) THEN min(who) END AS who
      FROM (
        SELECT match_key, who, row AS mentioned_in, NULL AS row FROM mentions
        UNION ALL
        SELECT match_key, NULL, NULL, row FROM to_link WHERE is_new) AS given
      GROUP BY match_key) AS one
    WHERE who IS NOT NULL)`;

/**
 * `linked`: keys of rows about the contact `who`, because an earlier row has their primary address as an additional one. A
 * row of a chain is linked to the first row of it. Rows only link to earlier ones, so each link is followed once; a chain
 * ends where a contact would have too many addresses. In WITH RECURSIVE, after `decided`; `to_link` has its rows.
 */
function linkedRows(duplicates: ImportRules['duplicates'], kinds: MatchKinds): string {
  const skips = duplicates === 'skip';
  // A skipped row adds no addresses for later rows.
  const who = skips ? `CASE WHEN o.who = ${ownKey('o')} THEN o.who ELSE ${ownKey('l')} END` : 'o.who';
  return `${TO_LINK},${mentions(kinds, skips)},${LINKS},
  linked AS (
    SELECT l.match_key, l.who, 1 AS depth FROM links AS l
    WHERE NOT EXISTS (SELECT FROM links AS p WHERE ${ownKey('p')} = l.who)
    UNION ALL
    SELECT l.match_key, ${who}, o.depth + 1 FROM linked AS o JOIN links AS l ON l.who = ${ownKey('o')}
    WHERE o.depth < ${CONTACT_FIELDS.additionalEmails.maxItems})`;
}

/** Which kinds of rows a file has, so that statements skip unneeded work. */
export interface RowsToPlan {
  readonly kinds: MatchKinds;
  readonly hasAdditional: boolean;
}

/** The column with the key of a row. Ids are always looked up separately. */
const KEY_COLUMNS: Readonly<Record<ImportRules['key'], string | null>> = {
  email: 'email_key',
  externalId: 'external_id',
  id: null,
};

/**
 * How many live contacts have a key, and the contact it selects: a live contact before deleted ones, of these the last.
 * Primary addresses count first (rank 0), then additional ones, then partial keys. Keys without a row are harmless.
 */
function sameKey(key: ImportRules['key'], kinds: MatchKinds): string {
  const column = KEY_COLUMNS[key];
  const plain = column ? plainMatches(column) : NO_MATCHES;
  const others =
    key === 'email'
      ? [...exactMatches(kinds), additionalAddressMatches(kinds), ...partialMatches(kinds)]
      : [];
  return `
  same_key AS (
    SELECT DISTINCT ON (match_key) match_key, live, target
    FROM (
      SELECT match_key, rank, count(*) FILTER (WHERE deleted_at IS NULL) AS live,
             (array_agg(id ORDER BY deleted_at DESC NULLS FIRST, id DESC))[1] AS target
      FROM (${[plain, ...others].join(' UNION ALL ')}) AS matches
      GROUP BY match_key, rank) AS ranked
    ORDER BY match_key, rank)`;
}

/**
 * The contact of each row: the id of a contact wins over the key, because a key can be shared. Rows and contacts with the same
 * key are sorted together instead of joined: when statistics are older than the contacts of the organization, the planner
 * expects one match and would compare each row with each match.
 */
const FOUND = `
  same_keys AS (
    SELECT row, id, match_key, first_value(live) OVER same AS live, first_value(target) OVER same AS target
    FROM (
      SELECT NULL::int AS row, NULL::uuid AS id, match_key, live, target FROM same_key
      UNION ALL
      SELECT row, id, match_key, NULL, NULL FROM valid) AS both_sides
    WINDOW same AS (PARTITION BY match_key ORDER BY row NULLS FIRST)),
  found AS (
    SELECT g.row, g.match_key, coalesce(i.id, g.target) AS target, i.id IS NULL AND g.live > 1 AS is_ambiguous,
           CASE WHEN i.id IS NOT NULL THEN i.deleted_at IS NOT NULL ELSE g.live = 0 END AS is_deleted
    FROM same_keys AS g
    LEFT JOIN LATERAL (SELECT * FROM contacts.contact AS c WHERE c.id = g.id OFFSET 0) AS i ON i.organization_id = $1
    WHERE g.row IS NOT NULL)`;

/** The table below: without an outcome, a row is written to its target or, without a target, to a new contact. */
const DECIDED = `
  decided AS (
    SELECT row, match_key,
      CASE WHEN is_deleted AND $4 = 'create' THEN NULL ELSE target END AS target,
      CASE WHEN is_ambiguous THEN 'failed'
           WHEN is_deleted AND $4 = 'skip' THEN 'skippedDuplicate'
           WHEN target IS NOT NULL AND NOT is_deleted AND $3 = 'skip' THEN 'skippedDuplicate' END AS outcome,
      CASE WHEN is_ambiguous THEN 'ambiguous_match'
           WHEN is_deleted THEN 'matches_deleted'
           WHEN target IS NOT NULL AND $3 = 'skip' THEN 'duplicate_existing' END AS code
    FROM found)`;

/**
 * Rows with the same `who` are about one contact: the target, or a new contact of this key; without a key, of this row
 * alone.
 */
const WHO = `
  who AS (
    SELECT row, target, outcome, code, coalesce(target::text, 'key ' || match_key, 'row ' || row) AS who
    FROM decided)`;

/** The same when rows can be linked to contacts of earlier rows. */
const WHO_LINKED = `
  who AS (
    SELECT row, target, outcome, code, coalesce(target::text, who, 'key ' || match_key, 'row ' || row) AS who
    FROM (
      SELECT d.row, d.match_key, d.outcome, d.code, l.who,
             coalesce(d.target, CASE WHEN l.who NOT LIKE 'key %' AND l.who NOT LIKE 'row %' THEN l.who::uuid END) AS target
      FROM to_link AS d LEFT JOIN linked AS l ON l.match_key = d.match_key AND d.is_new
    ) AS d)`;

/** When later rows are skipped: failed rows before the first valid one are not grouped with it. */
const skipping = (lists: ImportRules['lists']) => `
  skipping AS (
    SELECT row, target, outcome, code,
      CASE WHEN bool_and(fails) OVER (PARTITION BY outcome, who ORDER BY row) THEN 'row ' || row ELSE who END AS who
    FROM (
      SELECT w.*, w.outcome IS NULL AND ${FAULT} IS NOT NULL AS fails
      FROM who AS w JOIN import_row AS s USING (row) LEFT JOIN contacts.contact AS t ON t.id = w.target
      CROSS JOIN LATERAL (SELECT ${mergePolicyOf({ duplicates: 'skip', lists }).merged}) AS f) AS checked)`;

const numbered = (rows: 'who' | 'skipping') => `
  numbered AS (
    SELECT row, target, outcome, code, count(*) OVER same AS of,
           row_number() OVER in_order AS n, first_value(row) OVER in_order AS first_row
    FROM ${rows}
    WINDOW same AS (PARTITION BY outcome, who), in_order AS (same ORDER BY row))`;

/**
 * Assigns rows to contacts and decides their outcome. $1 organization, $2 import, $3 duplicates,
 * $4 onDeletedMatch.
 *
 * | A row finds              | duplicates         | onDeletedMatch | outcome              | code               |
 * |--------------------------|--------------------|----------------|----------------------|--------------------|
 * | no contact               | any                | any            | created              |                    |
 * | a live contact           | update, fill       | any            | updated or unchanged |                    |
 * | a live contact           | skip               | any            | skippedDuplicate     | duplicate_existing |
 * | several live, by the key | update, fill, skip | any            | failed               | ambiguous_match    |
 * | deleted ones only        | update, fill, skip | restore        | updated              | matches_deleted    |
 * | deleted ones only        | update, fill, skip | create         | created              | matches_deleted    |
 * | deleted ones only        | update, fill, skip | skip           | skippedDuplicate     | matches_deleted    |
 * | any                      | create             | any            | created              |                    |
 *
 * A row whose address only an earlier row has, as an additional one, is about the contact of that row
 * (linked-rows.statements.ts). Further rows of one contact have the code `duplicate_in_file`: they are merged with the first
 * one, or skipped when `duplicates` is `skip`.
 */
export function planRows(
  { key, duplicates, lists }: Pick<ImportRules, 'key' | 'duplicates' | 'lists'>,
  { kinds, hasAdditional }: RowsToPlan,
): string {
  const links = hasAdditional && key === 'email';
  const who = links ? [linkedRows(duplicates, kinds), WHO_LINKED] : [WHO];
  const grouping =
    duplicates === 'skip' ? [...who, skipping(lists), numbered('skipping')] : [...who, numbered('who')];
  return `
  INSERT INTO contacts.import_plan (organization_id, import_id, row, first_row, n, of, target, outcome, code)
  WITH RECURSIVE ${[STAGED, validRows(kinds), keysOf(kinds), sameKey(key, kinds), FOUND, DECIDED, ...grouping].join(',')}
  SELECT $1::uuid, $2::uuid, row, first_row, n, CASE WHEN $3 = 'skip' THEN 1 ELSE of END, target,
    CASE WHEN outcome IS NULL AND n > 1 AND $3 = 'skip' THEN 'skippedDuplicate' ELSE outcome END,
    CASE WHEN outcome IS NULL AND n > 1 THEN 'duplicate_in_file' ELSE code END
  FROM numbered`;
}
