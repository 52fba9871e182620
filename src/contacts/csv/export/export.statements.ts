import type { SearchStrategy } from '../../queries/contacts.search.js';
import { FIRST_ID, ofGroup } from '#libs/database';
import { DETAILS, type ExportColumn } from './contact-columns.js';
import { withValues } from './copy-rows.js';

/** A condition on rows `c`; $1 is the organization or, for the keys, all organizations. */
export interface Filter {
  readonly condition: string;
  readonly values: readonly unknown[];
}

/** A connection is used only while the database works, not while the client reads. */
const PAGE_ROWS = 5_000;
/** Bytes of custom fields, as stored. A contact can have 50 of 1 000 characters, or none. */
const PAGE_BYTES = 1_000_000;
/**
 * Maximum contacts of a page whose custom fields are compressed, possibly to a hundredth: measuring them decompresses them
 * before the end of the page is known.
 */
const PAGE_COMPRESSED = 200;

export const TODAY = `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`;

/** Deleted contacts or all others, restricted to matches of a search. */
export function filterOf(deleted: boolean, strategy?: SearchStrategy): Filter {
  const condition = `c.deleted_at IS ${deleted ? 'NOT ' : ''}NULL`;
  if (!strategy) return { condition, values: [] };
  // Refers to the parameters that only the score uses, because each parameter of a statement must have a type.
  const searched = `${strategy.condition} AND (${strategy.score}) IS NOT NULL`;
  return { condition: `${condition} AND ${searched}`, values: strategy.values };
}

/**
 * Planned for a page of matches and read up to the first one: planned for one, it would read the table in the hope of an early
 * match. $1 organizations, then the values of the filter.
 */
export const anyMatch = ({ condition }: Filter): string => `
  WITH matching AS MATERIALIZED (
    SELECT FROM contacts.contact AS c WHERE c.organization_id = ANY($1::uuid[]) AND ${condition} LIMIT ${PAGE_ROWS})
  SELECT EXISTS (TABLE matching) AS is_there`;

const VALUE = `f.value #>> '{}'`;
/**
 * Values that the import would change: all but text that starts and ends with a letter, a digit or a character of ASCII.
 * The code points at the end are the invisible fillers of Hangul and Khmer: a cell of them alone counts as empty.
 */
const NEEDS_JSON = `jsonb_typeof(f.value) <> 'string' OR ${VALUE} !~ '^[!-~[:alnum:]](.*[!-~[:alnum:]])?$'
  OR ascii(${VALUE}) IN (4447, 4448, 6068, 6069, 12644, 65440)`;

/** $1 organizations, then the values of the filter. */
export const customKeys = ({ condition }: Filter): string => `
  SELECT f.key, bool_or(${NEEDS_JSON}) AS "needsJson"
  FROM contacts.contact AS c CROSS JOIN jsonb_each(c.custom_fields) AS f
  WHERE c.organization_id = ANY($1::uuid[]) AND c.custom_fields <> '{}' AND ${condition}
  GROUP BY f.key ORDER BY f.key`;

const WITH_DETAILS = `(${DETAILS.map(({ has }) => has).join(' OR ')})`;

export const presentDetails = ({ condition }: Filter): string => `
  SELECT ${DETAILS.map(({ header, has }) => `bool_or(${has}) AS "${header}"`).join(', ')}
  FROM contacts.contact AS c WHERE c.organization_id = ANY($1::uuid[]) AND ${WITH_DETAILS} AND ${condition}`;

/**
 * One page of the contacts of an organization after `after`, oldest first; without parameters, for COPY. Matches of a search are
 * read by their ids, so that they are searched once.
 */
export function pageOf(
  columns: readonly ExportColumn[],
  { condition, values }: Filter,
  organizationId: string,
  after: string | null,
): string {
  const at = values.length + 2;
  const next = `$${at}::uuid`;
  const cells = columns.map(({ sql }) => sql).join(', ');
  const given = [organizationId, ...(values as string[]), after ?? FIRST_ID];
  if (values.length > 0) {
    const where = withValues(`c.organization_id = $1::uuid AND c.id > ${next} AND ${condition}`, given);
    return `SELECT ${cells} FROM contacts.contact AS c WHERE c.id = ANY(ARRAY(${idsOfPage(where)})) ORDER BY c.id`;
  }
  const place = ofGroup('c.organization_id', 'c.id', '$1::uuid', { after: next });
  const where = withValues(`${place} AND ${condition}`, given);
  const last = `${idsOfPage(where)} ORDER BY id DESC LIMIT 1`;
  return `SELECT ${cells} FROM contacts.contact AS c WHERE ${where} AND c.id <= (${last}) ORDER BY c.organization_id, c.id`;
}

/**
 * The ids of the contacts of the page, which has at least one. When all candidates fit, which is nearly always, no
 * running sums are computed: they cost as much as half of the cells.
 */
const idsOfPage = (where: string) => `
  WITH next AS MATERIALIZED (
    SELECT c.id, pg_column_size(c.custom_fields) AS bytes,
      CASE WHEN pg_column_compression(c.custom_fields) IS NOT NULL THEN c.custom_fields END AS compressed
    FROM contacts.contact AS c WHERE ${where} ORDER BY c.organization_id, c.id LIMIT ${PAGE_ROWS})
  SELECT id FROM next
  WHERE (SELECT count(compressed) = 0 AND sum(bytes) < ${PAGE_BYTES} FROM next) OR id <= (${END_OF_MEASURED})`;

const END_OF_MEASURED = `
  SELECT id FROM (
    SELECT id, sum(coalesce(octet_length(compressed::text), bytes))
      OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (SELECT next.*, count(compressed) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS so_far FROM next) AS counted
    WHERE so_far <= ${PAGE_COMPRESSED}) AS measured
  WHERE before IS NULL OR before < ${PAGE_BYTES} ORDER BY id DESC LIMIT 1`;
