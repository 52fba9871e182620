import type { ImportField } from '../columns/contact-fields.js';

/** A key of custom fields and whether a cell could not say one of its values: numbers, nothing, space at an end. */
export interface CustomKey {
  readonly key: string;
  readonly needsJson: boolean;
}

/** The header is the field's own name, so that an import knows every column again. */
export interface ExportColumn {
  readonly header: ImportField;
  /** SQL on a row `c` of CONTACTS; NULL is an empty cell. */
  readonly cell: string;
}

/** Contacts with their lists as cells, made first: what the guard looks at several times must not be made each time. */
export const CONTACTS =
  'SELECT c.*, contacts.list_cell(c.phones) AS phones_cell, contacts.list_cell(c.tags) AS tags_cell FROM contacts.contact AS c';

/** What spreadsheets and the import can take; beyond it all custom fields share one column. */
export const MAX_CUSTOM_COLUMNS = 500;

const TEXTS: readonly ExportColumn[] = [
  { header: 'name', cell: 'c.name' },
  { header: 'email', cell: 'c.email' },
  { header: 'company', cell: 'c.company' },
  { header: 'jobTitle', cell: 'c.job_title' },
  { header: 'phones', cell: 'c.phones_cell' },
  { header: 'tags', cell: 'c.tags_cell' },
  { header: 'externalId', cell: 'c.external_id' },
];

const ALL_CUSTOM: ExportColumn = { header: 'customFields', cell: `nullif(c.custom_fields, '{}')::text` };

/** Never quoted and always the last: where a page ends can be read from its text. */
const ID: ExportColumn = { header: 'id', cell: 'c.id' };

/**
 * The columns of an export whose contacts have these custom fields. Text is text; what is more than that is JSON.
 * @param quoted makes a literal of SQL. @param raw without the guard against formulas.
 */
export function exportColumns(
  keys: readonly CustomKey[],
  quoted: (text: string) => string,
  raw: boolean,
): ExportColumn[] {
  const areColumns = keys.length <= MAX_CUSTOM_COLUMNS && keys.every(({ key }) => key === key.trim());
  const custom = areColumns ? keys.map((key) => customColumn(key, quoted)) : [ALL_CUSTOM];
  const guarded = [...TEXTS, ...custom].map(({ header, cell }) => ({
    header,
    cell: `contacts.guarded(${cell})`,
  }));
  return [...(raw ? [...TEXTS, ...custom] : guarded), ID];
}

function customColumn({ key, needsJson }: CustomKey, quoted: (text: string) => string): ExportColumn {
  return needsJson
    ? { header: `customFieldsJson.${key}`, cell: `(c.custom_fields -> ${quoted(key)})::text` }
    : { header: `customFields.${key}`, cell: `c.custom_fields ->> ${quoted(key)}` };
}
