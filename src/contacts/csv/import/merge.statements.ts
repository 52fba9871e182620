import { WRITTEN_COLUMNS } from '../../views/contact.view.js';
import { STAGED } from './staging.statements.js';

const WRITABLE = 'c.fault IS NULL AND c.is_changed';

/**
 * Locks the contacts to change until the transaction ends, in one order for all imports: edits and erasures wait, notes
 * and moves of cards do not. Fewer rows than planned mean that a contact changed after the plan was made. $1 organization,
 * $2 import, as in all of these statements.
 */
export const LOCK_TARGETS = `
  WITH ${STAGED}
  SELECT (SELECT count(*) FROM import_contact AS c WHERE c.target IS NOT NULL AND ${WRITABLE})::int AS planned,
         (SELECT count(*) FILTER (WHERE is_same) FROM (
            SELECT t.version = c.version AS is_same
            FROM import_contact AS c JOIN contacts.contact AS t ON t.id = c.target
            WHERE ${WRITABLE} ORDER BY t.id FOR NO KEY UPDATE OF t) AS locked)::int AS same`;

export const UPDATE_CONTACTS = `
  WITH ${STAGED}
  UPDATE contacts.contact AS t
  SET ${WRITTEN_COLUMNS.map((column) => `${column} = c.${column}`).join(', ')}, deleted_at = NULL, import_id = $2,
      version = t.version + 1, updated_at = now()
  FROM import_contact AS c WHERE t.id = c.target AND ${WRITABLE}`;

export const INSERT_CONTACTS = `
  INSERT INTO contacts.contact (id, organization_id, import_id, ${WRITTEN_COLUMNS.join(', ')})
  WITH ${STAGED}
  SELECT c.id, $1::uuid, $2::uuid, ${WRITTEN_COLUMNS.map((column) => `c.${column}`).join(', ')}
  FROM import_contact AS c WHERE c.target IS NULL AND ${WRITABLE} ORDER BY c.first_row`;

/** The notes `n` of contacts, by one index lookup per contact. @param contacts a query of their ids as `contact_id` */
export const notesOf = (contacts: string): string => `
  (${contacts}) AS k CROSS JOIN LATERAL (SELECT * FROM contacts.note AS n WHERE n.contact_id = k.contact_id OFFSET 0) AS n`;

/**
 * Notes of rows, without duplicates of existing notes of the contact (row 0): importing the same file again adds none. Their
 * ids sort like the rows (row-ids.ts), so they are listed in the order of the file. $3 and $4 author.
 */
export const INSERT_NOTES = `
  INSERT INTO contacts.note (id, contact_id, body, author_type, author_id)
  WITH ${STAGED},
  given AS (
    SELECT r.row, r.new_id, coalesce(c.target, c.id) AS contact_id, r.note AS body
    FROM import_plan AS p
    JOIN import_row AS r ON r.row = p.row AND r.note IS NOT NULL
    JOIN import_contact AS c ON c.first_row = p.first_row AND ${WRITABLE}
    WHERE p.outcome IS NULL),
  firsts AS (
    SELECT DISTINCT ON (contact_id, body) * FROM (
      TABLE given
      UNION ALL
      SELECT 0, NULL, n.contact_id, n.body FROM ${notesOf('SELECT DISTINCT contact_id FROM given')}) AS every_note
    ORDER BY contact_id, body, row)
  SELECT overlay(new_id::text PLACING substr(md5(random()::text), 1, 10) FROM 27)::uuid, contact_id, body, $3, $4
  FROM firsts WHERE row > 0`;

export const INSERT_IMPORT = `
  INSERT INTO contacts.contact_import (id, organization_id, file_sha256, header, delimiter, raw, report, rows_read,
    created, updated, unchanged, skipped_duplicate, skipped_empty, failed)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

/** $1 organization, $2 sha256: the last import of the same bytes. */
export const SEEN_BEFORE = `
  SELECT id AS "importId", created_at AS at FROM contacts.contact_import
  WHERE organization_id = $1 AND file_sha256 = $2 ORDER BY created_at DESC LIMIT 1`;
