import { normalized, RESERVED_NAMES } from '#libs/http';
import type { PostalAddress } from '../../domain/contact-details.js';
import type { ContactField } from '../../domain/contact.events.js';
import { CONTACT_LIMITS } from '../../domain/contact.js';

/**
 * The fields to which a column can be mapped. The parts of a name are combined, and those of a birthday; `customFields` is
 * one JSON object, in addition to columns of single custom fields.
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
 * `"5"`), as the export writes when a key has values other than plain text.
 */
export type CustomField = `customFields.${string}` | `customFieldsJson.${string}`;

/** `addresses.2.city`: a part of the second address, from 1. */
export type AddressField = `addresses.${number}.${keyof PostalAddress}`;

export type ImportField = PlainField | CustomField | AddressField;

/** The length of keys is counted in characters, as in a request body. */
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

/** The field with this name, undefined without one. Keys of custom fields follow the rules of a request body. */
export function fieldNamed(name: string): ImportField | undefined {
  const plain = PLAIN_FIELDS.find((field) => field === name) ?? ALIASES.get(name);
  if (plain) return plain;
  if (addressPart(name as ImportField)) return name as AddressField;
  const field = normalized(name);
  const key = CUSTOM.exec(field)?.[2];
  return key === undefined || RESERVED_NAMES.has(key) ? undefined : (field as CustomField);
}

/** The key of a custom field and whether its cells are JSON; undefined for other fields. */
export function customKey(field: ImportField): { key: string; isJson: boolean } | undefined {
  const found = CUSTOM.exec(field);
  return found ? { key: found[2] as string, isJson: found[1] !== undefined } : undefined;
}

/** The index of an address, from 0, and the part; undefined for other fields. */
export function addressPart(field: ImportField): { at: number; part: keyof PostalAddress } | undefined {
  const found = ADDRESS.exec(field);
  const at = Number(found?.[1]) - 1;
  if (!found || at < 0 || at >= CONTACT_LIMITS.addresses) return undefined;
  return { at, part: found[2] as keyof PostalAddress };
}

/** The distinct fields of a contact that columns write to, without the id, which a file cannot change. */
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
