import { CONTACT_LIMITS } from '../../contact.js';
import { WRITTEN } from '../../contacts.statements.js';
import { STAGED } from './staging.statements.js';

/** Why a contact `f` cannot be written, or NULL. */
export const FAULT = `
    CASE WHEN f.name IS NULL AND f.email IS NULL THEN 'missing_required'
         WHEN (SELECT count(*) FROM jsonb_object_keys(f.custom_fields)) > ${CONTACT_LIMITS.customFields}
           THEN 'limit_exceeded' END`;

const TEXTS = ['name', 'email', 'email_key', 'company', 'job_title', 'external_id'];
const LISTS = ['phones', 'tags'];

/** How what is said later is laid over what was there before. */
interface Laying {
  /** How several rows are ordered by their numbers to have the one that counts first, or last. */
  readonly first: string;
  readonly last: string;
  /** The columns of the contact `t` with what `s` says laid over them. */
  readonly laid: string;
}

const [SAID, THERE] = [`coalesce(s.custom_fields, '{}')`, `coalesce(t.custom_fields, '{}')`];

/** What is said last counts. Nothing said overwrites nothing. */
export const OVERWRITING: Laying = {
  first: ' DESC',
  last: '',
  laid: [
    ...TEXTS.map((column) => `coalesce(s.${column}, t.${column}) AS ${column}`),
    ...LISTS.map((column) => `coalesce(s.${column}, t.${column}, '{}') AS ${column}`),
    `${THERE} || ${SAID} AS custom_fields`,
  ].join(', '),
};

/** What is there stays, and what is said first counts. */
const FILLING: Laying = {
  first: '',
  last: ' DESC',
  laid: [
    ...TEXTS.map((column) => `coalesce(t.${column}, s.${column}) AS ${column}`),
    ...LISTS.map(
      (column) =>
        `CASE WHEN cardinality(t.${column}) > 0 THEN t.${column} ELSE coalesce(s.${column}, '{}') END AS ${column}`,
    ),
    `${SAID} || ${THERE} AS custom_fields`,
  ].join(', '),
};

/** Rows that are to be written, with how many are of the same contact. */
const WRITING = `
  writing AS (
    SELECT p.first_row, p.target, p.of AS rows, r.*
    FROM import_plan AS p JOIN import_row AS r USING (row) WHERE p.outcome IS NULL)`;

/** The custom fields of several rows of one contact, in one object: of one key the last value stays. */
const custom = ({ last }: Laying) => `
  custom AS (
    SELECT w.first_row, jsonb_object_agg(e.key, e.value ORDER BY w.row${last}) AS custom_fields
    FROM writing AS w CROSS JOIN jsonb_each(w.custom_fields) AS e WHERE w.rows > 1 GROUP BY w.first_row)`;

/** Of several rows of one contact the cell that counts: empty ones say nothing. Lists are gathered as text: they differ in length. */
const ofMany = ({ first }: Laying) => [
  ...TEXTS.map(
    (column) =>
      `(array_agg(r.${column} ORDER BY r.row${first}) FILTER (WHERE r.${column} IS NOT NULL))[1] AS ${column}`,
  ),
  ...LISTS.map(
    (column) =>
      `(array_agg(r.${column}::text ORDER BY r.row${first}) FILTER (WHERE r.${column} IS NOT NULL))[1]::text[] AS ${column}`,
  ),
];

/** What the file says of each contact: its one row, or its rows laid over one another. */
const said = (laying: Laying) => `
  said AS (
    SELECT first_row, target, ${[...TEXTS, ...LISTS].join(', ')}, custom_fields FROM writing WHERE rows = 1
    UNION ALL
    SELECT many.*, custom.custom_fields FROM (
      SELECT r.first_row, (array_agg(r.target))[1] AS target, ${ofMany(laying).join(', ')}
      FROM writing AS r WHERE r.rows > 1 GROUP BY r.first_row) AS many
    LEFT JOIN custom USING (first_row))`;

/** What each contact is going to be: what the file says, laid over what is there. */
const final = ({ laid }: Laying) => `
  final AS (
    SELECT s.first_row, s.target, t.version, t.deleted_at IS NOT NULL AS was_deleted, ${laid}
    FROM said AS s LEFT JOIN contacts.contact AS t ON t.id = s.target)`;

/** In the order of import_contact. */
const columnsOf = (table: string): string => WRITTEN.map((column) => `${table}.${column}`).join(', ');

/** What each contact is going to be, whether that is a change, and why it cannot be. $1 organization, $2 import. */
export function planContacts(fills: boolean): string {
  const laying = fills ? FILLING : OVERWRITING;
  return `
  INSERT INTO contacts.import_contact (organization_id, import_id, first_row, target, version, was_deleted, is_changed,
    fault, id, ${WRITTEN.join(', ')})
  WITH ${[STAGED, WRITING, custom(laying), said(laying), final(laying)].join(',')}
  SELECT $1::uuid, $2::uuid, f.first_row, f.target, f.version, f.was_deleted,
    f.target IS NULL OR f.was_deleted
      OR (${columnsOf('f')}) IS DISTINCT FROM (${columnsOf('t')}),
    ${FAULT}, r.new_id, ${columnsOf('f')}
  FROM final AS f
  JOIN import_row AS r ON r.row = f.first_row
  LEFT JOIN contacts.contact AS t ON t.id = f.target`;
}
