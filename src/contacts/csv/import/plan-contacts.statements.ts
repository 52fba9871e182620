import { columnsOfKind, CONTACT_FIELDS, fieldsOfKind, type TextsField } from '../../domain/contact-fields.js';
import { WRITTEN_COLUMNS } from '../../views/contact.view.js';
import type { ImportRules } from '../dto/import-contacts.dto.js';
import { notesOf } from './merge.statements.js';
import { STAGED } from './staging.statements.js';

const GIVEN = `
  given AS (
    SELECT w.first_row, w.row, a.*
    FROM writing AS w CROSS JOIN LATERAL (
      SELECT w.email, w.email_key, 0 AS number
      UNION ALL
      SELECT * FROM unnest(w.additional_emails, w.additional_email_keys) WITH ORDINALITY) AS a (email, email_key, number)
    WHERE w.rows > 1 AND a.email_key IS NOT NULL)`;

/**
 * Distinct addresses in their first spelling, with the rows that have them as primary address. An address that an earlier
 * row has as an additional one stays additional.
 */
const ADDRESSES = `
  each_address AS (
    SELECT first_row, email_key, (array_agg(email ORDER BY row, number))[1] AS email,
           min(row) AS row, (array_agg(number ORDER BY row, number))[1] AS number,
           array_agg(row ORDER BY row) FILTER (WHERE number = 0) AS primary_rows,
           array_agg(email ORDER BY row) FILTER (WHERE number = 0) AS spelled,
           coalesce(min(row) FILTER (WHERE number = 0) < min(row) FILTER (WHERE number > 0), true) AS is_own
    FROM given GROUP BY first_row, email_key)`;

/**
 * `merged_emails`: the primary address of each contact with several rows, and all others.
 * @param primary selects the primary address among those of the rows
 */
const mergedEmails = (primary: 'first' | 'last'): string => {
  const at = primary === 'first' ? '1' : 'cardinality(primary_rows)';
  return `${GIVEN},${ADDRESSES},
  primary_address AS (
    SELECT DISTINCT ON (first_row) first_row, spelled[${at}] AS email, email_key
    FROM each_address WHERE primary_rows IS NOT NULL AND is_own
    ORDER BY first_row, primary_rows[${at}]${primary === 'first' ? '' : ' DESC'}),
  merged_emails AS (
    SELECT p.first_row, p.email, p.email_key,
           array_agg(e.email ORDER BY e.row, e.number) FILTER (WHERE e.email_key <> p.email_key) AS additional_emails,
           array_agg(e.email_key ORDER BY e.row, e.number) FILTER (WHERE e.email_key <> p.email_key)
             AS additional_email_keys
    FROM primary_address AS p JOIN each_address AS e USING (first_row) GROUP BY p.first_row, p.email, p.email_key)`;
};

const maxItems = (field: TextsField) => CONTACT_FIELDS[field].maxItems;
const MOST_VALUES = [
  ...fieldsOfKind('texts').map(
    (field) => `cardinality(f.${CONTACT_FIELDS[field].column}) > ${maxItems(field)}`,
  ),
  `jsonb_array_length(f.addresses) > ${CONTACT_FIELDS.addresses.maxItems}`,
].join(' OR ');

/** Why a contact `f` cannot be written, or NULL. */
export const FAULT = `
    CASE WHEN f.name IS NULL AND f.email IS NULL AND f.company IS NULL AND f.phones = '{}' THEN 'missing_required'
         WHEN (SELECT count(*) FROM jsonb_object_keys(f.custom_fields)) > ${CONTACT_FIELDS.customFields.maxItems}
           THEN 'limit_exceeded'
         WHEN cardinality(f.additional_emails) > ${CONTACT_FIELDS.additionalEmails.maxItems} THEN 'limit_exceeded'
         WHEN ${MOST_VALUES} THEN 'limit_exceeded' END`;

const PRIMARY = ['email', 'email_key'];
const TEXTS = columnsOfKind('text', 'date');
const LISTS = columnsOfKind('texts');
const ADDITIONAL = ['additional_emails', 'additional_email_keys'];

interface MergePolicy {
  readonly primary: 'first' | 'last';
  /** The order of row numbers in which the value that is kept comes first or last. */
  readonly first: string;
  readonly last: string;
  /** The columns of the contact `t` merged with those of `s`. */
  readonly merged: string;
  readonly addsLists?: boolean;
}

/** A row that finds a contact by an additional address does not make that address the primary one. */
const primary = (column: string, [one, other]: readonly string[]) => `
  CASE WHEN s.email_key = ANY(t.additional_email_keys) AND t.email_key IS NOT NULL THEN t.${column}
       ELSE coalesce(${one}.${column}, ${other}.${column}) END`;

const ADDS_NO_ADDRESS = `s.additional_email_keys IS NULL AND coalesce(t.additional_email_keys, '{}') = '{}'`;

/** Addresses are added and never removed. Fast path: most contacts have one, and the row has the same. */
const additional = (column: string, order: readonly string[]) => `
  CASE WHEN ${ADDS_NO_ADDRESS}
            AND (s.email_key IS NULL OR s.email_key = ${primary('email_key', order)}) THEN '{}'
       ELSE contacts.first_of_each(
         coalesce(t.additional_${column}s, '{}') || s.${column} || coalesce(s.additional_${column}s, '{}'),
         coalesce(t.additional_email_keys, '{}') || s.email_key || coalesce(s.additional_email_keys, '{}'),
         ${primary('email_key', order)}) END AS additional_${column}s`;

/** @param order whose primary address is kept: that of the row `s` or of the contact `t`. */
const emails = (order: readonly string[]) =>
  PRIMARY.flatMap((column) => [`${primary(column, order)} AS ${column}`, additional(column, order)]);

const [FILE_FIELDS, STORED_FIELDS] = [`coalesce(s.custom_fields, '{}')`, `coalesce(t.custom_fields, '{}')`];

/** Empty cells overwrite nothing. */
const overwriting = (lists: readonly string[]): MergePolicy => ({
  primary: 'last',
  first: ' DESC',
  last: '',
  merged: [
    ...TEXTS.map((column) => `coalesce(s.${column}, t.${column}) AS ${column}`),
    ...emails(['s', 't']),
    ...lists,
    `${STORED_FIELDS} || ${FILE_FIELDS} AS custom_fields`,
  ].join(', '),
});

/** The later value is kept; lists are replaced as a whole. */
const REPLACING = overwriting([
  ...LISTS.map((column) => `coalesce(s.${column}, t.${column}, '{}') AS ${column}`),
  `coalesce(s.addresses, t.addresses, '[]') AS addresses`,
]);

/** The later value is kept; values of lists are added to the former ones. */
const ADDING: MergePolicy = {
  ...overwriting([
    ...LISTS.map(
      (column) => `
  CASE WHEN s.${column} IS NULL THEN coalesce(t.${column}, '{}')
       WHEN coalesce(t.${column}, '{}') IN ('{}', s.${column}) THEN s.${column}
       ELSE contacts.with_values(t.${column}, s.${column}, '${column}') END AS ${column}`,
    ),
    `
  CASE WHEN s.addresses IS NULL THEN coalesce(t.addresses, '[]')
       WHEN coalesce(t.addresses, '[]') IN ('[]', s.addresses) THEN s.addresses
       ELSE contacts.with_addresses(t.addresses, s.addresses) END AS addresses`,
  ]),
  addsLists: true,
};

export function mergePolicyOf({ duplicates, lists }: Pick<ImportRules, 'duplicates' | 'lists'>): MergePolicy {
  if (duplicates === 'fill') return FILLING;
  return lists === 'replace' ? REPLACING : ADDING;
}

/** Existing values are kept, and the first value fills an empty field. */
const FILLING: MergePolicy = {
  primary: 'first',
  first: '',
  last: ' DESC',
  merged: [
    ...TEXTS.map((column) => `coalesce(t.${column}, s.${column}) AS ${column}`),
    ...emails(['t', 's']),
    `CASE WHEN t.addresses <> '[]' THEN t.addresses ELSE coalesce(s.addresses, '[]') END AS addresses`,
    ...LISTS.map(
      (column) =>
        `CASE WHEN cardinality(t.${column}) > 0 THEN t.${column} ELSE coalesce(s.${column}, '{}') END AS ${column}`,
    ),
    `${FILE_FIELDS} || ${STORED_FIELDS} AS custom_fields`,
  ].join(', '),
};

const WRITING = `
  writing AS (
    SELECT p.first_row, p.target, p.of AS rows, r.*
    FROM import_plan AS p JOIN import_row AS r USING (row) WHERE p.outcome IS NULL)`;

/** The custom fields of several rows of one contact in one object; the last value of a key is kept. */
const customFields = ({ last }: MergePolicy) => `
  merged_custom AS (
    SELECT w.first_row, jsonb_object_agg(e.key, e.value ORDER BY w.row${last}) AS custom_fields
    FROM writing AS w CROSS JOIN jsonb_each(w.custom_fields) AS e WHERE w.rows > 1 GROUP BY w.first_row)`;

const GATHERED = [
  ...LISTS.map(
    (column) =>
      `contacts.gathered_values(array_agg(r.${column}::text ORDER BY r.row) FILTER (WHERE r.${column} IS NOT NULL), '${column}') AS ${column}`,
  ),
  `contacts.gathered_addresses(array_agg(r.addresses ORDER BY r.row) FILTER (WHERE r.addresses IS NOT NULL)) AS addresses`,
];

/**
 * The kept cell of several rows of one contact; empty cells are ignored. Lists are aggregated as text, because they differ
 * in length.
 */
const mergedRows = ({ first, addsLists }: MergePolicy) => [
  ...(addsLists ? [...TEXTS] : [...TEXTS, 'addresses']).map(
    (column) =>
      `(array_agg(r.${column} ORDER BY r.row${first}) FILTER (WHERE r.${column} IS NOT NULL))[1] AS ${column}`,
  ),
  ...(addsLists ? GATHERED : []),
  ...(addsLists ? [] : LISTS).map(
    (column) =>
      `(array_agg(r.${column}::text ORDER BY r.row${first}) FILTER (WHERE r.${column} IS NOT NULL))[1]::text[] AS ${column}`,
  ),
];

const FILE_COLUMNS = [...PRIMARY, ...ADDITIONAL, ...TEXTS, 'addresses', ...LISTS];

/** The values of the file for each contact: its only row, or its rows merged. */
const fromFile = (policy: MergePolicy) => `
  from_file AS (
    SELECT first_row, target, ${FILE_COLUMNS.join(', ')}, custom_fields FROM writing WHERE rows = 1
    UNION ALL
    SELECT first_row, merged.target, ${FILE_COLUMNS.join(', ')}, merged_custom.custom_fields FROM (
      SELECT r.first_row, (array_agg(r.target))[1] AS target, ${mergedRows(policy).join(', ')}
      FROM writing AS r WHERE r.rows > 1 GROUP BY r.first_row) AS merged
    LEFT JOIN merged_emails USING (first_row) LEFT JOIN merged_custom USING (first_row))`;

/** The new state of each contact: the values of the file merged with the stored ones. */
const final = ({ merged }: MergePolicy) => `
  final AS (
    SELECT s.first_row, s.target, t.version, t.deleted_at IS NOT NULL AS was_deleted, ${merged}
    FROM from_file AS s LEFT JOIN contacts.contact AS t ON t.id = s.target)`;

const columnsOf = (table: string): string => WRITTEN_COLUMNS.map((column) => `${table}.${column}`).join(', ');

/** Contacts that get a note that they do not have yet. As sets, because the planner knows too little of notes to join them. */
const NEW_NOTES = `
  noted AS (SELECT DISTINCT target, note FROM writing WHERE target IS NOT NULL AND note IS NOT NULL),
  with_new_note AS (
    SELECT DISTINCT target FROM (
      TABLE noted EXCEPT SELECT n.contact_id, n.body FROM ${notesOf('SELECT DISTINCT target AS contact_id FROM noted')}) AS added)`;

export function planContacts(rules: Pick<ImportRules, 'duplicates' | 'lists'>, notes: boolean): string {
  const mergePolicy = mergePolicyOf(rules);
  const newNotes = notes ? [NEW_NOTES] : [];
  return `
  INSERT INTO contacts.import_contact (organization_id, import_id, first_row, target, version, was_deleted, is_changed,
    fault, id, ${WRITTEN_COLUMNS.join(', ')})
  WITH ${[STAGED, WRITING, customFields(mergePolicy), mergedEmails(mergePolicy.primary), fromFile(mergePolicy), final(mergePolicy), ...newNotes].join(',')}
  SELECT $1::uuid, $2::uuid, f.first_row, f.target, f.version, f.was_deleted,
    f.target IS NULL OR f.was_deleted
      OR (${columnsOf('f')}) IS DISTINCT FROM (${columnsOf('t')})${notes ? ' OR n.target IS NOT NULL' : ''},
    ${FAULT}, r.new_id, ${columnsOf('f')}
  FROM final AS f
  JOIN import_row AS r ON r.row = f.first_row
  LEFT JOIN contacts.contact AS t ON t.id = f.target${notes ? ' LEFT JOIN with_new_note AS n ON n.target = f.target' : ''}`;
}
