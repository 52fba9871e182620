import { CONTACT_FIELDS } from '../../domain/contact-fields.js';
import type { ImportRules } from '../domain/import-options.js';
import { keysOfAddress, type MatchKinds } from './match-keys.statements.js';

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
export function linkedRows(duplicates: ImportRules['duplicates'], kinds: MatchKinds): string {
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
