import type { PostalAddress } from '../../domain/contact-details.js';
import type { CustomValue } from '../../domain/contact.js';

/** The values of a row for a contact; null without a value. */
export interface RowContact {
  readonly id: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly emailKey: string | null;
  readonly company: string | null;
  readonly jobTitle: string | null;
  readonly phones: readonly string[] | null;
  readonly tags: readonly string[] | null;
  readonly customFields: Readonly<Record<string, CustomValue>> | null;
  readonly externalId: string | null;
  readonly additionalEmails: readonly string[] | null;
  readonly addresses: readonly PostalAddress[] | null;
  readonly birthday: string | null;
  readonly department: string | null;
  readonly websites: readonly string[] | null;
  readonly note: string | null;
}

/** A row without values. */
export const EMPTY_ROW: RowContact = {
  id: null,
  name: null,
  email: null,
  emailKey: null,
  company: null,
  jobTitle: null,
  phones: null,
  tags: null,
  customFields: null,
  externalId: null,
  additionalEmails: null,
  addresses: null,
  birthday: null,
  department: null,
  websites: null,
  note: null,
};
