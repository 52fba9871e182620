import { WRITTEN_COLUMNS } from '../../views/contact.view.js';

const SPECIAL = /[\0\\\n\r\t]/;

type CopyValue = string | number | boolean | null | readonly string[];

/**
 * One line of PostgreSQL's COPY text format. Zero characters, which PostgreSQL cannot store, become U+FFFD.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(copyValue).join('\t')}\n`;
}

function copyValue(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  return typeof value === 'object' ? escaped(arrayLiteral(value)) : String(value);
}

function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Character by character: one call for each of a million backslashes takes seconds. */
function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replaceAll('\0', '\ufffd')
    .replace(/\\/g, '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}

/**
 * All imports share unlogged tables. `import_row` is the file; `import_plan` has the planned outcome of each valid row;
 * `import_contact` has each contact to write once, for any number of rows.
 */
const TABLES = ['import_row', 'import_plan', 'import_contact'];

/**
 * The rows of one import, each table under its own name. $1 organization, $2 import, in every statement that reads them.
 */
export const STAGED = TABLES.map(
  (name) =>
    `${name} AS NOT MATERIALIZED (SELECT * FROM contacts.${name} WHERE organization_id = $1 AND import_id = $2)`,
).join(',\n  ');

/**
 * In the order in which Staging writes them. Named, because a later migration can add columns while this release still
 * runs.
 */
export const COPY_ROWS = `
  COPY contacts.import_row (organization_id, import_id, row, id, ${WRITTEN_COLUMNS.join(', ')}, note, match_key, new_id, failed,
    problems, raw, line) FROM STDIN`;

/** Without statistics of these rows the planner would expect few of them. */
export const [ANALYZE_ROWS, ANALYZE_PLAN, ANALYZE_CONTACTS] = TABLES.map(
  (name) => `ANALYZE contacts.${name}`,
) as [string, string, string];

const deleted = (
  tables: readonly string[],
  condition: (name: string) => string,
  ...before: string[]
): string => {
  const [last = '', ...others] = tables.map(
    (name) => `DELETE FROM contacts.${name} WHERE ${condition(name)}`,
  );
  const first = others.map((sql, at) => `deleted${at} AS (${sql})`);
  return `WITH ${[...before, ...first].join(', ')} ${last}`;
};

const OF_IMPORT = 'organization_id = $1 AND import_id = $2';

export const EMPTY_PLAN = deleted(['import_plan', 'import_contact'], () => OF_IMPORT);
export const DELETE_STAGED = deleted(TABLES, () => OF_IMPORT);

/** Leftovers of other imports of the organization. $1 organization, $2 the import that holds the lease. */
export const DELETE_LEFTOVERS = deleted(TABLES, () => 'organization_id = $1 AND import_id <> $2');

/**
 * Leases that expired long ago and are not locked. An import that merges locks its lease and cannot renew it, so its rows
 * stay however long the merge takes. Locked until the rows are deleted: the import cannot start to merge meanwhile.
 */
const idle = (condition: string, margin: string) => `
  idle AS MATERIALIZED (
    SELECT organization_id, import_id FROM contacts.import_lease
    WHERE ${condition} AND lease_until <= clock_timestamp() - interval '${margin}' FOR UPDATE SKIP LOCKED)`;

const isOver = (name: string) => `NOT EXISTS (
  SELECT FROM contacts.import_lease AS l
  WHERE l.organization_id = ${name}.organization_id AND l.import_id = ${name}.import_id
    AND (l.organization_id, l.import_id) NOT IN (SELECT organization_id, import_id FROM idle))`;

export const ERASE_LEFTOVERS = deleted(
  TABLES,
  (name) => `organization_id = $1 AND ${isOver(name)}`,
  idle('organization_id = $1', '0'),
);

/** Of all organizations, some time after the last renewal: an import that was only paused can continue. */
export const SWEEP_LEFTOVERS = deleted(TABLES, isOver, idle('true', '1 minute'));

/** Number of staged rows: none after a crash or a failover of the server. $1 organization, $2 import. */
export const COUNT_STAGED = `WITH ${STAGED} SELECT count(*)::int AS count FROM import_row`;
