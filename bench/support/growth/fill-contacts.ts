import type { Database } from '#libs/database';

/** $1 organization, $2 number. One contact has a rare word; one of ten is deleted. Ids are in the order of time, the newest last. */
const CONTACTS = `
  INSERT INTO contacts.contact (id, organization_id, name, email, email_key, phones, company, tags, deleted_at)
  SELECT (lpad(to_hex(extract(epoch FROM now())::bigint * 1000 - $2::int + n), 12, '0') || '70008000' ||
      substr(md5($1::uuid::text || n), 1, 12))::uuid, $1::uuid,
    CASE n WHEN 500 THEN 'Maria Quetzal' ELSE 'Person ' || n END, address, address,
    ARRAY['+420 60' || (1000000 + n)], 'Company ' || n % 100, ARRAY['customer'], CASE WHEN n % 10 = 0 AND n <> 500 THEN now() END
  FROM generate_series(1, $2::int) AS n CROSS JOIN LATERAL (SELECT 'p' || n || '@example.com' AS address) AS a`;

const NOTES = `
  INSERT INTO contacts.note (id, contact_id, body, author_type, author_id)
  SELECT gen_random_uuid(), id, 'A note', 'user', 'x' FROM contacts.contact WHERE organization_id = $1`;

/** On the default pipeline: each stage has as many, in the order of contacts. */
const CARDS = `
  INSERT INTO pipelines.card_view (id, pipeline_id, contact_id, stage_id, position, entered_at, version)
  SELECT gen_random_uuid(), $2::uuid, id, ($3::uuid[])[1 + n % cardinality($3::uuid[])], n, now(), 1
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM contacts.contact WHERE organization_id = $1) AS contact`;

const IMPORTS = `
  INSERT INTO contacts.contact_import (id, organization_id, file_sha256, rows_read, created, updated, unchanged, skipped_duplicate,
    skipped_empty, failed, header, delimiter, report)
  SELECT gen_random_uuid(), $1::uuid, 'f' || n, 0, 0, 0, 0, 0, 0, 0, '{name}', ',', '{}' FROM generate_series(1, $2::int) AS n`;

/** Rows that an organization has after years: contacts, what is noted about them, their cards and imports. */
export async function fillContacts(
  database: Database,
  organizationId: string,
  contacts: number,
  board: { readonly id: string; readonly stages: readonly { readonly id: string }[] },
): Promise<void> {
  await database.query(CONTACTS, [organizationId, contacts]);
  await database.query(NOTES, [organizationId]);
  await database.query(CARDS, [organizationId, board.id, board.stages.map(({ id }) => id)]);
  await database.query(IMPORTS, [organizationId, contacts / 10]);
  for (const table of ['contacts.contact', 'contacts.note', 'contacts.contact_import', 'pipelines.card_view'])
    await database.query(`VACUUM ANALYZE ${table}`);
}
