import { statement } from '#libs/database';
import { emailKey } from '#libs/email-address';
import { postalAddress } from '../domain/contact-details.js';
import {
  CONTACT_FIELDS,
  type ContactField,
  type ContactFields,
  type FieldColumns,
  FIELDS,
} from '../domain/contact-fields.js';

export interface ContactRow extends FieldColumns {
  readonly id: string;
  readonly organization_id: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

export const CONTACT_COLUMNS = [
  'id',
  'organization_id',
  ...FIELDS.map(([, { column }]) => column),
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
].join(', ');

export const WRITTEN_COLUMNS = FIELDS.flatMap(([, { column, keyColumn }]) =>
  [column, keyColumn ?? []].flat(),
);

/** The values of WRITTEN_COLUMNS. Those of null are null. */
export function writtenValues(fields: {
  readonly [Field in ContactField]: ContactFields[Field] | null;
}): (string | readonly string[] | null)[] {
  return FIELDS.flatMap(([field, { kind }]) => {
    const value = fields[field];
    if (kind === 'email') return [value, value && emailKey(value as string)];
    if (kind === 'emails') return [value, value && (value as readonly string[]).map(emailKey)];
    return [value && (kind === 'addresses' || kind === 'customFields') ? JSON.stringify(value) : value];
  }) as (string | readonly string[] | null)[];
}

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
  ...(Object.fromEntries(
    FIELDS.map(([field]) => [field, row[CONTACT_FIELDS[field].column]]),
  ) as unknown as ContactFields),
  addresses: row.addresses.map(postalAddress),
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

const parameters = WRITTEN_COLUMNS.map((_, index) => `$${index + 3}`);

/** $1 id, $2 organization, then `writtenValues`. */
export const INSERT = statement(
  'insert_contact',
  `INSERT INTO contacts.contact (id, organization_id, ${WRITTEN_COLUMNS.join(', ')})
   VALUES ($1, $2, ${parameters.join(', ')}) RETURNING ${CONTACT_COLUMNS}`,
);

const change = (name: string, set: string) =>
  statement(
    `${name}_contact`,
    `UPDATE contacts.contact SET ${set}, version = version + 1, updated_at = now()
     WHERE id = $1 AND version = $2 RETURNING ${CONTACT_COLUMNS}`,
  );

/** $1 id, $2 required version, then `writtenValues`. */
export const UPDATE = change(
  'update',
  WRITTEN_COLUMNS.map((column, index) => `${column} = ${parameters[index]}`).join(', '),
);
export const DELETE = change('delete', 'deleted_at = now()');
export const RESTORE = change('restore', 'deleted_at = NULL');

/** Foreign keys delete notes, files and cards with the contact. */
export const ERASE = statement(
  'erase_contact',
  `DELETE FROM contacts.contact WHERE id = $1 AND version = $2 RETURNING ${CONTACT_COLUMNS}`,
);

/** The oldest live contact with this address, primary or additional. */
export const FIND_BY_EMAIL = statement(
  'find_contact_by_email',
  `WITH same AS MATERIALIZED (
     SELECT id, deleted_at FROM contacts.contact WHERE organization_id = $1 AND email_key = $2
     UNION ALL
     SELECT id, deleted_at FROM contacts.contact
     WHERE organization_id = $1 AND additional_email_keys @> ARRAY[$2::text] AND additional_email_keys <> '{}')
   SELECT id FROM same WHERE deleted_at IS NULL ORDER BY id LIMIT 1`,
);
