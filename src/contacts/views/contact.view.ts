import type { PostalAddress } from '../domain/contact-details.js';
import { postalAddress } from '../domain/contact-details.js';
import type { ContactFields, CustomFields } from '../domain/contact.js';

/** A row of contacts.contact, as pg reads it, without the search columns. */
export interface ContactRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string | null;
  /** As entered. */
  readonly email: string | null;
  readonly company: string | null;
  readonly job_title: string | null;
  readonly phones: readonly string[];
  readonly tags: readonly string[];
  readonly custom_fields: CustomFields;
  readonly external_id: string | null;
  readonly additional_emails: readonly string[];
  readonly addresses: readonly PostalAddress[];
  readonly birthday: string | null;
  readonly department: string | null;
  readonly websites: readonly string[];
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

export const CONTACT_COLUMNS =
  'id, organization_id, name, email, company, job_title, phones, tags, custom_fields, external_id, additional_emails, addresses, birthday, department, websites, version, created_at, updated_at, deleted_at';

/** The columns that users write. */
export const WRITTEN_COLUMNS = [
  'name',
  'email',
  'email_key',
  'company',
  'job_title',
  'phones',
  'tags',
  'custom_fields',
  'external_id',
  'additional_emails',
  'additional_email_keys',
  'addresses',
  'birthday',
  'department',
  'websites',
];

/** A contact as other features and lists see it. Instants: RFC 3339, UTC, milliseconds. */
export interface ContactSummary extends ContactFields {
  readonly id: string;
  readonly organizationId: string;
  readonly deleted: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

export const fieldsOf = (row: ContactRow): ContactFields => ({
  name: row.name,
  email: row.email,
  company: row.company,
  jobTitle: row.job_title,
  phones: row.phones,
  tags: row.tags,
  customFields: row.custom_fields,
  externalId: row.external_id,
  additionalEmails: row.additional_emails,
  addresses: row.addresses.map(postalAddress),
  birthday: row.birthday,
  department: row.department,
  websites: row.websites,
});

export const summaryOf = (row: ContactRow): ContactSummary => ({
  id: row.id,
  organizationId: row.organization_id,
  ...fieldsOf(row),
  deleted: row.deleted_at !== null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
});
