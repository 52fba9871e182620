import { isAddress, postalAddress, tidyEmails } from './contact-details.js';
import { type ContactField, type ContactFields, fieldNames, FIELDS } from './contact-fields.js';
import type { FieldKind } from './field-declaration.js';
import { ContactHasNoName } from './contact.errors.js';

/** Undefined leaves a field unchanged. Null clears it. */
export type ContactChanges = {
  readonly [Field in keyof ContactFields]?: ContactFields[Field] | null;
};

const EMPTY: Readonly<Partial<Record<FieldKind, unknown>>> = {
  texts: [],
  emails: [],
  addresses: [],
  customFields: {},
};
const NOTHING = Object.fromEntries(
  FIELDS.map(([field, { kind }]) => [field, EMPTY[kind] ?? null]),
) as unknown as ContactFields;

export function create(given: ContactChanges): { fields: ContactFields; named: ContactField[] } {
  const { fields, changed } = change(NOTHING, given);
  return { fields, named: changed };
}

export function change(
  before: ContactFields,
  changes: ContactChanges,
): { fields: ContactFields; changed: ContactField[] } {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const set = given.map(([field, value]) => [field, value ?? NOTHING[field as ContactField]]);
  const merged = { ...before, ...(Object.fromEntries(set) as Partial<ContactFields>) };
  const fields = {
    ...merged,
    ...tidyEmails(merged.email, merged.additionalEmails),
    addresses: merged.addresses.filter(isAddress).map(postalAddress),
  };
  const { name, email, company, phones } = fields;
  if (name === null && email === null && company === null && phones.length === 0)
    throw new ContactHasNoName();
  return { fields, changed: fieldNames.filter((field) => !isSame(before[field], fields[field])) };
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** The order of custom fields has no meaning; that of phones and tags has. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
