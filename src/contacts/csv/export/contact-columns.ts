import { CONTACT_FIELDS, type ContactField, fieldNames, fieldsOfKind } from '../../domain/contact-fields.js';
import type { FieldDeclaration, FieldKind } from '../../domain/field-declaration.js';
import type { ImportField } from '../columns/import-fields.js';
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

const PRESENT: Readonly<Record<FieldKind, string>> = {
  text: 'IS NOT NULL',
  date: 'IS NOT NULL',
  email: 'IS NOT NULL',
  texts: "<> '{}'",
  emails: "<> '{}'",
  addresses: "<> '[]'",
  customFields: "<> '{}'",
};

function exported(field: ContactField): ExportColumn & { readonly has: string } {
  const { kind, column, keyColumn = column }: FieldDeclaration = CONTACT_FIELDS[field];
  const has = `c.${keyColumn} ${PRESENT[kind]}`;
  if (kind === 'texts' || kind === 'emails')
    return { header: field, sql: `array_to_json(c.${column})`, cell: listCellOfJson, has };
  if (kind === 'addresses') return { header: field, sql: `nullif(c.${column}, '[]')::text`, has };
  if (kind === 'customFields') return { header: field, sql: `nullif(c.${column}, '{}')::text`, has };
  return { header: field, sql: `c.${column}`, has };
}

const isDetail = (field: ContactField) => (CONTACT_FIELDS[field] as FieldDeclaration).isDetail;

const ALL_CUSTOM: ExportColumn = exported('customFields');

export const TEXTS: readonly ExportColumn[] = fieldNames
  .filter((field) => field !== 'customFields' && !isDetail(field))
  .map(exported);

/** Written when at least one contact has a value, the shortest first. */
export const DETAILS = (['emails', 'text', 'date', 'texts', 'addresses'] as const)
  .flatMap((kind) => fieldsOfKind(kind))
  .filter(isDetail)
  .map(exported);

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
