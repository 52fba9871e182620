import type { CustomValue } from '../../contact.js';
import type { ImportField } from '../columns/contact-fields.js';
import { listCell } from '../rows/list-cell.js';

/** A contact as the export reads it. */
export interface ExportedContact {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly company: string | null;
  readonly job_title: string | null;
  readonly phones: readonly string[];
  readonly tags: readonly string[];
  readonly custom_fields: Readonly<Record<string, CustomValue>>;
  readonly external_id: string | null;
}

/** A key of custom fields and whether a cell could not say one of its values: numbers, nothing, space at an end. */
export interface CustomKey {
  readonly key: string;
  readonly needsJson: boolean;
}

/** The header is the field's own name, so that an import knows every column again. */
export interface ExportColumn {
  readonly header: ImportField;
  readonly cell: (contact: ExportedContact) => string;
}

/** What spreadsheets and the import can take; beyond it all custom fields share one column. */
export const MAX_CUSTOM_COLUMNS = 500;

const FIXED: readonly ExportColumn[] = [
  { header: 'id', cell: ({ id }) => id },
  { header: 'name', cell: ({ name }) => name ?? '' },
  { header: 'email', cell: ({ email }) => email ?? '' },
  { header: 'company', cell: ({ company }) => company ?? '' },
  { header: 'jobTitle', cell: ({ job_title }) => job_title ?? '' },
  { header: 'phones', cell: ({ phones }) => listCell(phones) },
  { header: 'tags', cell: ({ tags }) => listCell(tags) },
  { header: 'externalId', cell: ({ external_id }) => external_id ?? '' },
];

/** The columns of an export whose contacts have these custom fields. Text is text; what is more than that is JSON. */
export function exportColumns(keys: readonly CustomKey[]): ExportColumn[] {
  const areColumns = keys.length <= MAX_CUSTOM_COLUMNS && keys.every(({ key }) => key === key.trim());
  return [...FIXED, ...(areColumns ? keys.map(customColumn) : [ALL_CUSTOM])];
}

const ALL_CUSTOM: ExportColumn = {
  header: 'customFields',
  cell: ({ custom_fields }) => (Object.keys(custom_fields).length > 0 ? JSON.stringify(custom_fields) : ''),
};

function customColumn({ key, needsJson }: CustomKey): ExportColumn {
  if (needsJson) {
    const cell = ({ custom_fields }: ExportedContact) =>
      Object.hasOwn(custom_fields, key) ? JSON.stringify(custom_fields[key]) : '';
    return { header: `customFieldsJson.${key}`, cell };
  }
  return {
    header: `customFields.${key}`,
    cell: ({ custom_fields }) => (Object.hasOwn(custom_fields, key) ? String(custom_fields[key]) : ''),
  };
}
