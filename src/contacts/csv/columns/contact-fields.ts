import { normalized, RESERVED_NAMES } from '#libs/http';
import type { ContactField } from '../../contact.events.js';

/**
 * What a column may be mapped to. The parts of a name are put together; `customFields` is a JSON object of all of them,
 * beside columns for one of them each.
 */
export const PLAIN_FIELDS = [
  'id',
  'name',
  'firstName',
  'middleName',
  'lastName',
  'email',
  'company',
  'jobTitle',
  'phones',
  'tags',
  'externalId',
  'customFields',
] as const;

export type PlainField = (typeof PLAIN_FIELDS)[number];

/**
 * `customFields.age`: the cell is the text. `customFieldsJson.age`: the cell is a JSON scalar (`5`, `true`, `null`,
 * `"5"`), as the export writes where a key holds more than plain text.
 */
export type CustomField = `customFields.${string}` | `customFieldsJson.${string}`;

export type ImportField = PlainField | CustomField;

/** Names of keys are counted in characters, as in a request body. */
const CUSTOM = /^customFields(Json)?\.(.{1,60})$/su;
const ALIASES: ReadonlyMap<string, PlainField> = new Map([
  ['phone', 'phones'],
  ['tag', 'tags'],
]);
const WRITES: Readonly<Record<PlainField, ContactField | null>> = {
  id: null,
  name: 'name',
  firstName: 'name',
  middleName: 'name',
  lastName: 'name',
  email: 'email',
  company: 'company',
  jobTitle: 'jobTitle',
  phones: 'phones',
  tags: 'tags',
  externalId: 'externalId',
  customFields: 'customFields',
};

/** The field of that name, undefined when there is none. Custom fields have the names that a request body may have. */
export function fieldNamed(name: string): ImportField | undefined {
  const plain = PLAIN_FIELDS.find((field) => field === name) ?? ALIASES.get(name);
  if (plain) return plain;
  const field = normalized(name);
  const key = CUSTOM.exec(field)?.[2];
  return key === undefined || RESERVED_NAMES.has(key) ? undefined : (field as CustomField);
}

/** The key of a custom field, and whether its cells are JSON; undefined for other fields. */
export function customKey(field: ImportField): { key: string; isJson: boolean } | undefined {
  const found = CUSTOM.exec(field);
  return found ? { key: found[2] as string, isJson: found[1] !== undefined } : undefined;
}

/** What of a contact columns write to, each once; not its id, which no file changes. */
export function contactFieldsOf(columns: readonly { readonly field: ImportField }[]): ContactField[] {
  return [...new Set(columns.flatMap(({ field }) => contactFieldOf(field) ?? []))];
}

function contactFieldOf(field: ImportField): ContactField | null {
  return isPlain(field) ? WRITES[field] : 'customFields';
}

const isPlain = (field: ImportField): field is PlainField => field in WRITES;
