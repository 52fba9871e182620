import { CONTACT_LIMITS } from '../../contact.js';
import type { ImportRules } from './import-options.js';
import type { MatchKinds } from './match-keys.statements.js';
import { keysOfAddress } from './match-keys.statements.js';

const ownKey = (table: string) => `'key ' || ${table}.match_key`;

/** Where later rows of a contact are skipped, only its first one brings addresses in. */
const FIRST_OF_KEY = `
      AND d.row = (SELECT min(f.row) FROM decided AS f WHERE f.match_key = d.match_key AND f.outcome IS NULL)`;

/** Which contacts get an additional address, by the keys of rows that have it as their primary one. */
const mentions = (kinds: MatchKinds, skips: boolean) => `
  mentions AS (
    SELECT a.match_key, coalesce(d.target::text, ${ownKey('d')}, 'row ' || d.row) AS who, min(d.row) AS row
    FROM decided AS d JOIN import_row AS r USING (row)
    CROSS JOIN unnest(r.additional_email_keys) AS e (email_key)
    CROSS JOIN unnest(${keysOfAddress(kinds, 'e', 'r')}) AS a (match_key)
    WHERE d.outcome IS NULL${skips ? FIRST_OF_KEY : ''}
    GROUP BY 1, 2)`;

/** Keys that find no contact, and whose address one contact of an earlier row has. Several contacts with it leave doubt. */
const LINKS = `
  links AS (
    SELECT m.match_key, min(m.who) AS who
    FROM mentions AS m
    JOIN (SELECT match_key, min(row) AS row FROM decided
          WHERE target IS NULL AND outcome IS NULL AND code IS NULL GROUP BY match_key) AS k USING (match_key)
    GROUP BY m.match_key, k.row HAVING count(*) = 1 AND min(m.row) < k.row)`;

/**
 * `linked`: keys of rows that are about the contact `who`, because an earlier row has their primary address as an additional one.
 * A row of a chain is linked to the first row of it. Rows only link to earlier ones, so each link is followed once; a chain ends
 * where a contact would have too many addresses. In WITH RECURSIVE, after `decided`.
 */
export function linkedRows(duplicates: ImportRules['duplicates'], kinds: MatchKinds): string {
  const skips = duplicates === 'skip';
  // A row that is skipped brings no address in for those that follow.
  const who = skips ? `CASE WHEN o.who = ${ownKey('o')} THEN o.who ELSE ${ownKey('l')} END` : 'o.who';
  return `${mentions(kinds, skips)},${LINKS},
  linked AS (
    SELECT l.match_key, l.who, 1 AS depth FROM links AS l
    WHERE NOT EXISTS (SELECT FROM links AS p WHERE ${ownKey('p')} = l.who)
    UNION ALL
    SELECT l.match_key, ${who}, o.depth + 1 FROM linked AS o JOIN links AS l ON l.who = ${ownKey('o')}
    WHERE o.depth < ${CONTACT_LIMITS.additionalEmails})`;
}
