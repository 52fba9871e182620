import type { ImportField } from '../columns/contact-fields.js';
import { listCellOfJson } from '../domain/cells/list-cell.js';

/**
 * A key of custom fields and whether a plain cell cannot represent one of its values: numbers, null, white space at the
 * ends.
 */
export interface CustomKey {
  readonly key: string;
  readonly needsJson: boolean;
}

/** The header is the name of the field, so that an import recognizes every column. */
export interface ExportColumn {
  readonly header: ImportField;
  /** SQL on a row `c` of contacts.contact; NULL becomes an empty cell. */
  readonly sql: string;
  /** Converts the value of the SQL to the cell, when they differ. */
  readonly cell?: (found: string) => string;
}

/** The limit of spreadsheets and of the import; with more, all custom fields share one column. */
export const MAX_CUSTOM_COLUMNS = 500;

/** Every export begins with them. */
export const TEXTS: readonly ExportColumn[] = [
  { header: 'name', sql: 'c.name' },
  { header: 'email', sql: 'c.email' },
  { header: 'company', sql: 'c.company' },
  { header: 'jobTitle', sql: 'c.job_title' },
  { header: 'phones', sql: 'array_to_json(c.phones)', cell: listCellOfJson },
  { header: 'tags', sql: 'array_to_json(c.tags)', cell: listCellOfJson },
  { header: 'externalId', sql: 'c.external_id' },
];

/** Written when at least one contact has a value. */
export const DETAILS: readonly (ExportColumn & { readonly has: string })[] = [
  {
    header: 'additionalEmails',
    sql: 'array_to_json(c.additional_emails)',
    cell: listCellOfJson,
    has: `c.additional_emails <> '{}'`,
  },
  { header: 'department', sql: 'c.department', has: 'c.department IS NOT NULL' },
  { header: 'birthday', sql: 'c.birthday', has: 'c.birthday IS NOT NULL' },
  {
    header: 'websites',
    sql: 'array_to_json(c.websites)',
    cell: listCellOfJson,
    has: `c.websites <> '{}'`,
  },
  { header: 'addresses', sql: `nullif(c.addresses, '[]')::text`, has: `c.addresses <> '[]'` },
];

const ALL_CUSTOM: ExportColumn = { header: 'customFields', sql: `nullif(c.custom_fields, '{}')::text` };

const ID: ExportColumn = { header: 'id', sql: 'c.id' };

/**
 * The columns of an export for these custom fields and details; the id is the last. Texts are written plain, other values
 * as JSON. @param quoted makes a literal of SQL.
 */
export function exportColumns(
  keys: readonly CustomKey[],
  details: readonly string[],
  quoted: (text: string) => string,
): readonly ExportColumn[] {
  const areColumns = keys.length <= MAX_CUSTOM_COLUMNS && keys.every(({ key }) => key === key.trim());
  const present = DETAILS.filter(({ header }) => details.includes(header));
  return [
    ...TEXTS,
    ...present,
    ...(areColumns ? keys.map((key) => customColumn(key, quoted)) : [ALL_CUSTOM]),
    ID,
  ];
}

function customColumn({ key, needsJson }: CustomKey, quoted: (text: string) => string): ExportColumn {
  return needsJson
    ? { header: `customFieldsJson.${key}`, sql: `c.custom_fields -> ${quoted(key)}` }
    : { header: `customFields.${key}`, sql: `c.custom_fields ->> ${quoted(key)}` };
}
