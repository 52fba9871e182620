import { normalized, RESERVED_NAMES } from '#libs/http';
import type { PostalAddress } from '../../domain/contact-details.js';
import type { ContactField } from '../../domain/contact.events.js';
import { CONTACT_LIMITS } from '../../domain/contact.js';

/**
 * What a column may be mapped to. The parts of a name are put together, and those of a birthday; `customFields` is a JSON object of all of them,
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
  'additionalEmails',
  'addresses',
  'birthday',
  'birthYear',
  'birthMonth',
  'birthDay',
  'department',
  'websites',
  'notes',
] as const;

export type PlainField = (typeof PLAIN_FIELDS)[number];

/**
 * `customFields.age`: the cell is the text. `customFieldsJson.age`: the cell is a JSON scalar (`5`, `true`, `null`,
 * `"5"`), as the export writes where a key holds more than plain text.
 */
export type CustomField = `customFields.${string}` | `customFieldsJson.${string}`;

/** `addresses.2.city`: a part of the second address, from 1. */
export type AddressField = `addresses.${number}.${keyof PostalAddress}`;

export type ImportField = PlainField | CustomField | AddressField;

/** Names of keys are counted in characters, as in a request body. */
const CUSTOM = /^customFields(Json)?\.(.{1,60})$/su;
const ADDRESS = /^addresses\.(\d{1,2})\.(label|street|city|region|postalCode|country)$/;
const ALIASES: ReadonlyMap<string, PlainField> = new Map([
  ['phone', 'phones'],
  ['tag', 'tags'],
  ['note', 'notes'],
  ['website', 'websites'],
  ['address', 'addresses'],
]);
const WRITES: Readonly<Record<PlainField, ContactField | 'notes' | null>> = {
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
  additionalEmails: 'additionalEmails',
  addresses: 'addresses',
  birthday: 'birthday',
  birthYear: 'birthday',
  birthMonth: 'birthday',
  birthDay: 'birthday',
  department: 'department',
  websites: 'websites',
  notes: 'notes',
};

/** The field of that name, undefined when there is none. Custom fields have the names that a request body may have. */
export function fieldNamed(name: string): ImportField | undefined {
  const plain = PLAIN_FIELDS.find((field) => field === name) ?? ALIASES.get(name);
  if (plain) return plain;
  if (addressPart(name as ImportField)) return name as AddressField;
  const field = normalized(name);
  const key = CUSTOM.exec(field)?.[2];
  return key === undefined || RESERVED_NAMES.has(key) ? undefined : (field as CustomField);
}

/** The key of a custom field, and whether its cells are JSON; undefined for other fields. */
export function customKey(field: ImportField): { key: string; isJson: boolean } | undefined {
  const found = CUSTOM.exec(field);
  return found ? { key: found[2] as string, isJson: found[1] !== undefined } : undefined;
}

/** Which address from 0, and which part of it; undefined for other fields. */
export function addressPart(field: ImportField): { at: number; part: keyof PostalAddress } | undefined {
  const found = ADDRESS.exec(field);
  const at = Number(found?.[1]) - 1;
  if (!found || at < 0 || at >= CONTACT_LIMITS.addresses) return undefined;
  return { at, part: found[2] as keyof PostalAddress };
}

/** What of a contact columns write to, each once; not its id, which no file changes. */
export function contactFieldsOf(
  columns: readonly { readonly field: ImportField }[],
): (ContactField | 'notes')[] {
  return [...new Set(columns.flatMap(({ field }) => contactFieldOf(field) ?? []))];
}

function contactFieldOf(field: ImportField): ContactField | 'notes' | null {
  if (addressPart(field)) return 'addresses';
  return isPlain(field) ? WRITES[field] : 'customFields';
}

const isPlain = (field: ImportField): field is PlainField => field in WRITES;
