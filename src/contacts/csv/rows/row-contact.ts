import { type ContactField, type ContactFields, fieldNames } from '../../domain/contact-fields.js';
import { isRoleAddress } from '../domain/cells/role-address.js';
import type { ImportRules } from '../dto/import-contacts.dto.js';

export type RowFields = { readonly [Field in ContactField]: ContactFields[Field] | null };

/** The values of a row for a contact; null without a value. */
export interface RowContact extends RowFields {
  readonly id: string | null;
  readonly emailKey: string | null;
  readonly note: string | null;
}

export const EMPTY_ROW = Object.fromEntries(
  ['id', ...fieldNames, 'emailKey', 'note'].map((field) => [field, null]),
) as unknown as RowContact;

/** How a row finds its contact, if not by the plain value of the key. */
export const MATCH_KINDS = ['mailbox', 'external', 'phone', 'company'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/** Between the kind and its values: the unit separator of ASCII, which addresses cannot contain. */
const SEPARATOR = '\u001f';

export interface MatchKey {
  readonly kind: MatchKind | null;
  /** `kind SEPARATOR value`; the database completes all but `external` (match-keys.statements.ts). */
  readonly text: string | null;
}

/**
 * What a row and its contact share. Several people can share a role address or a phone, so there the full name is part of
 * the key.
 */
export function matchKey(contact: RowContact, key: ImportRules['key']): MatchKey {
  const { emailKey: email, id, externalId, company, phones } = contact;
  if (key !== 'email') return { kind: null, text: key === 'id' ? id : externalId };
  if (email !== null) return isRoleAddress(email) ? of('mailbox', email) : { kind: null, text: email };
  if (externalId !== null) return of('external', externalId);
  if (/[0-9]/.test(phones?.[0] ?? '')) return of('phone', '');
  return company === null ? { kind: null, text: null } : of('company', '');
}

const of = (kind: MatchKind, value: string): MatchKey => ({ kind, text: `${kind}${SEPARATOR}${value}` });
