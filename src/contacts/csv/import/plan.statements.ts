import { CONTACT_LIMITS } from '../../contact.js';
import { WRITTEN } from '../../contacts.statements.js';
import type { ImportRules } from './import-options.js';

/** Contacts that share the key of a row. An id is looked for in any case, so there it needs no second look. */
const SAME_KEY: Readonly<Record<ImportRules['key'], string>> = {
  email: 'c.email_key = k.match_key',
  externalId: 'c.external_id = k.match_key',
  id: 'false',
};

/**
 * Which row belongs to which contact. $1 organization, $2 duplicates, $3 onDeletedMatch. An id that is a contact's wins
 * over the key. Several live contacts with the key: nobody knows which one is meant. Rows of one contact are numbered in
 * the order of the file. Where rows of known contacts are skipped, those before the first one that can come in fail each by
 * itself, and only those behind it are skipped.
 */
export const planRows = ({ key, duplicates }: Pick<ImportRules, 'key' | 'duplicates'>): string => `
  INSERT INTO import_plan (row, first_row, n, of, target, outcome, code)
  WITH good AS (SELECT row, id, match_key FROM import_row WHERE NOT failed),
  same_key AS (
    SELECT k.match_key, count(*) FILTER (WHERE c.deleted_at IS NULL) AS live,
           (array_agg(c.id ORDER BY c.deleted_at DESC NULLS FIRST, c.id DESC))[1] AS target
    FROM (SELECT DISTINCT match_key FROM good WHERE match_key IS NOT NULL) AS k
    JOIN contacts.contact AS c ON c.organization_id = $1 AND ${SAME_KEY[key]}
    GROUP BY k.match_key),
  found AS (
    SELECT g.row, g.match_key, coalesce(i.id, s.target) AS target, i.id IS NULL AND s.live > 1 AS is_ambiguous,
           CASE WHEN i.id IS NOT NULL THEN i.deleted_at IS NOT NULL ELSE s.live = 0 END AS is_deleted
    FROM good AS g
    LEFT JOIN contacts.contact AS i ON i.id = g.id AND i.organization_id = $1
    LEFT JOIN same_key AS s ON s.match_key = g.match_key),
  decided AS (
    SELECT row, match_key,
      CASE WHEN is_deleted AND $3 = 'create' THEN NULL ELSE target END AS target,
      CASE WHEN is_ambiguous THEN 'failed'
           WHEN is_deleted AND $3 = 'skip' THEN 'skippedDuplicate'
           WHEN target IS NOT NULL AND NOT is_deleted AND $2 = 'skip' THEN 'skippedDuplicate' END AS outcome,
      CASE WHEN is_ambiguous THEN 'ambiguous_match'
           WHEN is_deleted THEN 'matches_deleted'
           WHEN target IS NOT NULL AND $2 = 'skip' THEN 'duplicate_existing' END AS code
    FROM found),
  who AS (
    SELECT row, target, outcome, code, coalesce(target::text, 'key ' || match_key, 'row ' || row) AS who
    FROM decided)${duplicates === 'skip' ? `,${behindTheFirstGoodOne()}` : ''},
  numbered AS (
    SELECT row, target, outcome, code, count(*) OVER same AS of,
           row_number() OVER in_order AS n, first_value(row) OVER in_order AS first_row
    FROM ${duplicates === 'skip' ? 'skipping' : 'who'}
    WINDOW same AS (PARTITION BY outcome, who), in_order AS (same ORDER BY row))
  SELECT row, first_row, n, CASE WHEN $2 = 'skip' THEN 1 ELSE of END, target,
    CASE WHEN outcome IS NULL AND n > 1 AND $2 = 'skip' THEN 'skippedDuplicate' ELSE outcome END,
    CASE WHEN outcome IS NULL AND n > 1 THEN 'duplicate_in_file' ELSE code END
  FROM numbered`;

/** Why a contact `f` cannot be written, or NULL. */
const FAULT = `
    CASE WHEN f.name IS NULL AND f.email IS NULL THEN 'missing_required'
         WHEN (SELECT count(*) FROM jsonb_object_keys(f.custom_fields)) > ${CONTACT_LIMITS.customFields}
           THEN 'limit_exceeded' END`;

const TEXTS = ['name', 'email', 'email_key', 'company', 'job_title', 'external_id'];
const LISTS = ['phones', 'tags'];

/**
 * What each contact is going to be. Rows of one contact are laid over one another in the order of the file first: the
 * last one that says something counts, or the first one where only gaps are filled. $1: only gaps are filled.
 */
export const planContacts = (fills: boolean): string => {
  const order = fills ? '' : ' DESC';
  const folded = (column: string, type = '') =>
    `(array_agg(r.${column}${type && '::text'} ORDER BY r.row${order}) FILTER (WHERE r.${column} IS NOT NULL))[1]${type} AS ${column}`;
  const merged = [
    ...TEXTS.map((column) => folded(column)),
    ...LISTS.map((column) => folded(column, '::text[]')),
  ];
  return `
  INSERT INTO import_contact
  WITH writing AS (
    SELECT p.first_row, p.target, p.of AS rows, r.*
    FROM import_plan AS p JOIN import_row AS r USING (row) WHERE p.outcome IS NULL),
  custom AS (
    SELECT w.first_row, jsonb_object_agg(e.key, e.value ORDER BY w.row${fills ? ' DESC' : ''}) AS custom_fields
    FROM writing AS w CROSS JOIN jsonb_each(w.custom_fields) AS e WHERE w.rows > 1 GROUP BY w.first_row),
  said AS (
    SELECT first_row, target, ${[...TEXTS, ...LISTS].join(', ')}, custom_fields FROM writing WHERE rows = 1
    UNION ALL
    SELECT many.*, custom.custom_fields FROM (
      SELECT r.first_row, (array_agg(r.target))[1] AS target, ${merged.join(', ')}
      FROM writing AS r WHERE r.rows > 1 GROUP BY r.first_row) AS many
    LEFT JOIN custom USING (first_row)),
  final AS (
    SELECT s.first_row, s.target, t.version, t.deleted_at IS NOT NULL AS was_deleted, ${finals(fills)}
    FROM said AS s LEFT JOIN contacts.contact AS t ON t.id = s.target)
  SELECT f.first_row, f.target, f.version, f.was_deleted,
    f.target IS NULL OR f.was_deleted
      OR (${columnsOf('f')}) IS DISTINCT FROM (${columnsOf('t')}),
    ${FAULT}, r.new_id, ${columnsOf('f')}
  FROM final AS f
  JOIN import_row AS r ON r.row = f.first_row
  LEFT JOIN contacts.contact AS t ON t.id = f.target`;
};

/** In the order of import_contact. */
const columnsOf = (table: string): string => WRITTEN.map((column) => `${table}.${column}`).join(', ');

function finals(fills: boolean): string {
  const text = (column: string) =>
    fills
      ? `coalesce(t.${column}, s.${column}) AS ${column}`
      : `coalesce(s.${column}, t.${column}) AS ${column}`;
  const list = (column: string) =>
    fills
      ? `CASE WHEN cardinality(t.${column}) > 0 THEN t.${column} ELSE coalesce(s.${column}, '{}') END AS ${column}`
      : `coalesce(s.${column}, t.${column}, '{}') AS ${column}`;
  const [said, there] = [`coalesce(s.custom_fields, '{}')`, `coalesce(t.custom_fields, '{}')`];
  const custom = fills ? `${said} || ${there}` : `${there} || ${said}`;
  return [...TEXTS.map(text), ...LISTS.map(list), `${custom} AS custom_fields`].join(', ');
}

/** Rows that cannot come in, up to the first that can, are of nobody but themselves: none may be skipped because of them. */
function behindTheFirstGoodOne(): string {
  return `
  skipping AS (
    SELECT row, target, outcome, code,
      CASE WHEN bool_and(fails) OVER (PARTITION BY outcome, who ORDER BY row) THEN 'row ' || row ELSE who END AS who
    FROM (
      SELECT w.*, w.outcome IS NULL AND ${FAULT} IS NOT NULL AS fails
      FROM who AS w JOIN import_row AS s USING (row) LEFT JOIN contacts.contact AS t ON t.id = w.target
      CROSS JOIN LATERAL (SELECT ${finals(false)}) AS f) AS judged)`;
}

/** What became of each row: every row has exactly one outcome. */
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

export const COUNT_OUTCOMES = `SELECT outcome, count(*)::int AS count FROM (${OUTCOMES}) AS o GROUP BY outcome`;

/** What the plan has to say about rows, in the order of the file. $1 how many at most. */
export const PLAN_SAYS = `
  SELECT row, line, code, outcome = 'failed' AS "isError" FROM (${OUTCOMES}) AS o
  WHERE code IS NOT NULL ORDER BY row LIMIT $1`;

/** $1 import. */
export const KEEP_FAILED_ROWS = `
  INSERT INTO contacts.import_failed_row (import_id, row, problems, raw)
  SELECT $1, row, coalesce(nullif(concat_ws('; ', problems, code), ''), 'failed'), raw FROM (${OUTCOMES}) AS o
  WHERE outcome = 'failed'`;
