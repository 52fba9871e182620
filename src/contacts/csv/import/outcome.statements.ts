import { columnsOfKind } from '../../domain/contact-fields.js';
import { STAGED } from './staging.statements.js';

/** The outcome of each row: every row has exactly one. */
const OUTCOMES = `
  SELECT r.row, r.line,
    CASE WHEN r.failed OR c.fault IS NOT NULL THEN 'failed'
         WHEN p.outcome IS NOT NULL THEN p.outcome
         WHEN p.target IS NULL AND p.n = 1 THEN 'created'
         WHEN c.is_changed THEN 'updated'
         ELSE 'unchanged' END AS outcome,
    CASE WHEN r.failed THEN NULL ELSE coalesce(c.fault, p.code) END AS code,
    CASE WHEN p.code = 'duplicate_in_file' THEN p.first_row END AS first_row,
    r.problems, r.raw
  FROM import_row AS r
  LEFT JOIN import_plan AS p USING (row)
  LEFT JOIN import_contact AS c ON c.first_row = p.first_row AND p.outcome IS NULL`;

/** $1 organization, $2 import, as in all of these statements. */
export const COUNT_OUTCOMES = `
  WITH ${STAGED} SELECT outcome, count(*)::int AS count FROM (${OUTCOMES}) AS o GROUP BY outcome`;

/**
 * The number of addresses with several names in rows about one contact, and the lines of the first of these rows, one per
 * name. $3 maximum lines.
 */
export const ADDRESSES_WITH_NAMES = `
  WITH ${STAGED},
  repeated AS (SELECT DISTINCT first_row FROM import_plan WHERE n > 1 AND outcome IS DISTINCT FROM 'failed'),
  named AS (
    SELECT r.email_key, p.first_row, min(r.line) AS line
    FROM repeated JOIN import_plan AS p USING (first_row) JOIN import_row AS r ON r.row = p.row
    WHERE r.email_key IS NOT NULL AND contacts.person_key(r.name) <> ''
    GROUP BY r.email_key, p.first_row, contacts.person_key(r.name)),
  several AS (
    SELECT email_key, array_agg(line) AS lines FROM named GROUP BY email_key, first_row HAVING count(*) > 1)
  SELECT (SELECT count(DISTINCT email_key) FROM several)::int AS count,
         ARRAY(SELECT unnest(lines) FROM several ORDER BY 1 LIMIT $3) AS lines`;

const CONTACT_OF_ROW = `coalesce(p.target::text, 'row ' || p.first_row) AS who`;

/**
 * Additional addresses of rows that another contact has too, in the file or stored, each with the line of the first row.
 * Grouped instead of joined: there are no statistics of addresses, and a plan could compare all with all. $3 maximum.
 */
export const SHARED_ADDRESSES = `
  WITH ${STAGED},
  additional AS (
    SELECT a.email_key, ${CONTACT_OF_ROW}, min(r.line) AS line
    FROM import_plan AS p JOIN import_row AS r USING (row) CROSS JOIN unnest(r.additional_email_keys) AS a (email_key)
    WHERE p.outcome IS NULL GROUP BY 1, 2),
  owners AS (
    TABLE additional
    UNION ALL
    SELECT r.email_key, ${CONTACT_OF_ROW}, NULL FROM import_plan AS p JOIN import_row AS r USING (row)
    WHERE p.outcome IS NULL AND r.email_key IS NOT NULL
    UNION ALL
    SELECT m.email_key, c.id::text, NULL
    FROM (SELECT DISTINCT email_key FROM additional) AS m
    CROSS JOIN LATERAL (
      SELECT * FROM contacts.contact AS c WHERE c.organization_id = $1 AND c.email_key = m.email_key OFFSET 0) AS c
    WHERE c.deleted_at IS NULL
    UNION ALL
    SELECT a.email_key, c.id::text, NULL
    FROM contacts.contact AS c CROSS JOIN unnest(c.additional_email_keys) AS a (email_key)
    WHERE c.organization_id = $1 AND c.additional_email_keys <> '{}' AND c.deleted_at IS NULL)
  SELECT email_key AS address, min(line) AS line
  FROM owners GROUP BY email_key HAVING count(line) > 0 AND count(DISTINCT who) > 1 ORDER BY line LIMIT $3`;

const LISTS = columnsOfKind('texts', 'addresses');
/** Values of the contact `t` that `c` does not have, or has in addition to others. */
const LOSES = LISTS.map((column) => `NOT t.${column} <@ c.${column}`).join(' OR ');
const GAINS = LISTS.map(
  (column) => `(t.${column} <> '${column === 'addresses' ? '[]' : '{}'}' AND NOT c.${column} <@ t.${column})`,
).join(' OR ');

/** The number of contacts whose lists change, and the lines of the first of their rows. $3 maximum lines. */
const changedLists = (condition: string) => `
  WITH ${STAGED},
  changed AS (
    SELECT r.line FROM import_contact AS c
    JOIN contacts.contact AS t ON t.id = c.target JOIN import_row AS r ON r.row = c.first_row
    WHERE c.fault IS NULL AND c.is_changed AND (${condition}))
  SELECT count(*)::int AS count, (array_agg(line ORDER BY line))[1:$3] AS lines FROM changed`;

export const CHANGED_LISTS = { add: changedLists(GAINS), replace: changedLists(LOSES) } as const;

/** Messages of the plan about rows, in the order of the file. $3 maximum. */
export const PLAN_MESSAGES = `
  WITH ${STAGED}
  SELECT row, line, code, outcome = 'failed' AS "isError" FROM (${OUTCOMES}) AS o
  WHERE code IS NOT NULL ORDER BY row LIMIT $3`;

export const KEEP_FAILED_ROWS = `
  INSERT INTO contacts.import_failed_row (import_id, row, problems, raw)
  WITH ${STAGED}
  SELECT $2::uuid, row, coalesce(nullif(concat_ws('; ', problems, code), ''), 'failed'), raw FROM (${OUTCOMES}) AS o
  WHERE outcome = 'failed'`;
