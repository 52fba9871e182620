import { CONTACT_LIMITS } from '../../domain/contact.js';
import { MAX_NOTE } from '../../notes/http/dto/write-note.dto.js';
import type { ImportField, PlainField } from '../columns/contact-fields.js';
import { addressPart, customKey } from '../columns/contact-fields.js';
import { MAX_RECORD } from '../domain/records/record-splitter.js';

/**
 * UTF-16 units for one character of a field: two of a rare one; three of a syllable of Korean before it is composed; room for
 * labels, quotes and separators.
 */
const UNITS = 4;
/** As JSON: an escape such as `\u00fc` has six units, and a rare character needs two escapes. */
const UNITS_OF_JSON = 12;
/** Dates have few characters; a time and a zone can follow. */
const DATE = 30;

const L = CONTACT_LIMITS;
const CHARACTERS: Readonly<Record<PlainField, number>> = {
  id: 36,
  name: L.name,
  firstName: L.name,
  middleName: L.name,
  lastName: L.name,
  email: (1 + L.additionalEmails) * L.email,
  company: L.company,
  jobTitle: L.jobTitle,
  phones: L.phones * L.phone,
  tags: L.tags * L.tag,
  externalId: L.externalId,
  customFields: MAX_RECORD,
  additionalEmails: (1 + L.additionalEmails) * L.email,
  addresses: L.addresses * 5 * L.addressPart,
  birthday: DATE,
  birthYear: DATE,
  birthMonth: DATE,
  birthDay: DATE,
  department: L.department,
  websites: L.websites * L.website,
  notes: MAX_NOTE,
};

/** The length in UTF-16 units beyond which a cell is refused without being parsed: no value of the field is as long. */
export function longestCell(field: ImportField): number {
  const custom = customKey(field);
  if (custom) return L.customText * (custom.isJson ? UNITS_OF_JSON : UNITS);
  return UNITS * (addressPart(field) ? L.addressPart : CHARACTERS[field as PlainField]);
}

/** Whether a row is imported without a cell that is too long: a detail, which does not identify its contact. */
export const isDispensable = (field: ImportField): boolean =>
  field === 'websites' || field.startsWith('birth');
