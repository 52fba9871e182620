import { statement } from '#libs/database';
import { CONTACT_COLUMNS, WRITTEN_COLUMNS } from './contact.view.js';

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
