import type { PostalAddress } from './contact-details.js';
import { isAddress, postalAddress, tidyEmails } from './contact-details.js';
import { ContactHasNoName } from './contact.errors.js';
import type { ContactField } from './contact.events.js';

export type CustomValue = string | number | boolean | null;
export type CustomFields = Readonly<Record<string, CustomValue>>;

/** Texts in characters, lists in entries. */
export const CONTACT_LIMITS = {
  name: 200,
  email: 254,
  company: 200,
  jobTitle: 200,
  externalId: 120,
  additionalEmails: 20,
  addresses: 10,
  addressPart: 500,
  department: 200,
  websites: 20,
  website: 1_000,
  phones: 10,
  phone: 40,
  tags: 50,
  tag: 60,
  customFields: 50,
  customKey: 60,
  customText: 1_000,
} as const;

/** The fields of a contact that users write. */
export interface ContactFields {
  readonly name: string | null;
  /** As spelled. */
  readonly email: string | null;
  readonly company: string | null;
  readonly jobTitle: string | null;
  readonly phones: readonly string[];
  readonly tags: readonly string[];
  readonly customFields: CustomFields;
  readonly externalId: string | null;
  /** Without the primary address, as spelled. */
  readonly additionalEmails: readonly string[];
  readonly addresses: readonly PostalAddress[];
  /** `1990-05-12`, or `--05-12` without the year. */
  readonly birthday: string | null;
  readonly department: string | null;
  readonly websites: readonly string[];
}

/** Undefined leaves a field unchanged. Null clears it. */
export type ContactChanges = {
  readonly [Field in keyof ContactFields]?: ContactFields[Field] | null;
};

const NOTHING: ContactFields = {
  name: null,
  email: null,
  company: null,
  jobTitle: null,
  phones: [],
  tags: [],
  customFields: {},
  externalId: null,
  additionalEmails: [],
  addresses: [],
  birthday: null,
  department: null,
  websites: [],
};

/** A new contact. @throws ContactHasNoName */
export function create(given: ContactChanges): { fields: ContactFields; named: ContactField[] } {
  const { fields, changed } = change(NOTHING, given);
  return { fields, named: changed };
}

/** The contact after the change and the changed fields. @throws ContactHasNoName */
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
  const names = Object.keys(NOTHING) as ContactField[];
  return { fields, changed: names.filter((name) => !isSame(before[name], fields[name])) };
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** The order of custom fields has no meaning; that of phones and tags has. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
