import { randomUUID } from 'node:crypto';
import type { Database } from '#libs/database';
import { eraseStoredResponses } from '#libs/http';
import { ERASE_BY_ID, ERASE_BY_SUBJECT } from '../../libs/http/src/idempotency/erase-responses.js';
import {
  ERASE_FAILED_ROWS,
  ERASE_REPORTED_VALUES,
  IMPORTS_WITH_FAILED_ROWS,
} from '../../src/contacts/csv/import/erase-from-imports.js';
import { ContactNotFound } from '../../src/contacts/domain/contact.errors.js';
import { rowsRead } from '../support/rows-read.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Few and large: then the planner expects any import to have many rows. */
const OTHERS = 2;
const ROWS_OF_EACH = 15_000;
const ANSWERS_OF_OTHERS = 3_000;
const OWN_ROWS = 3;
const SUBJECT = 'contact-import';
const GONE = new ContactNotFound();

describe('erasing a contact', () => {
  const organizationId = randomUUID();
  let test: TestDatabase;
  let database: Database;
  let importId: string;

  /** An import with failed rows, as it is stored. */
  const imported = async (organization: string, failed: number) => {
    const [row] = await database.query<{ id: string }>(
      `INSERT INTO contacts.contact_import (id, organization_id, file_sha256, header, delimiter, report, rows_read, created,
         updated, unchanged, skipped_duplicate, skipped_empty, failed)
       VALUES (gen_random_uuid(), $1, '', '{}', ',', '{"errors": []}', $2, 0, 0, 0, 0, 0, $2) RETURNING id`,
      [organization, failed],
    );
    await database.query(
      `INSERT INTO contacts.import_failed_row (import_id, row, problems, raw)
       SELECT $1, n, 'failed', 'Jana,jana@example.com' FROM generate_series(1, $2::int) AS n`,
      [row?.id, failed],
    );
    return row?.id ?? '';
  };

  const answered = (id: string, count: number, subject = '') =>
    database.query(
      `INSERT INTO http.idempotent_request (key, fingerprint, owner, lease_until, expires_at, response, ids, subject)
       SELECT uuid_send(gen_random_uuid()), '', gen_random_uuid(), now(), now() + interval '1 hour',
         jsonb_build_object('status', 200, 'body', $1::text), ARRAY[$1::uuid, gen_random_uuid()], $3
       FROM generate_series(1, $2::int)`,
      [id, count, subject],
    );
  const erased = async () =>
    (await database.query(`SELECT FROM http.idempotent_request WHERE response->>'status' = '404'`)).length;

  beforeAll(async () => {
    test = await createTestDatabase();
    database = test.database;
    for (let n = 0; n < OTHERS; n += 1) await imported(randomUUID(), ROWS_OF_EACH);
    importId = await imported(organizationId, OWN_ROWS);
    await answered(randomUUID(), ANSWERS_OF_OTHERS);
    await answered(importId, 1);
    await answered(organizationId, ANSWERS_OF_OTHERS);
    await answered(organizationId, 1, SUBJECT);
    await database.query(
      'ANALYZE contacts.contact_import, contacts.import_failed_row, http.idempotent_request',
    );
  });
  afterAll(() => test.drop());

  it('reads the failed rows of its organization alone', async () => {
    const imports = await database.query<{ id: string }>(IMPORTS_WITH_FAILED_ROWS, [organizationId]);
    expect(imports).toEqual([{ id: importId }]);
    const values = [[importId], 'jana@example\\.com', []];
    const read = await rowsRead(database, { text: ERASE_FAILED_ROWS }, values, 'import_failed_row');
    expect(read.rows).toBeLessThanOrEqual(2 * OWN_ROWS);
    expect(await database.query('SELECT FROM contacts.import_failed_row')).toHaveLength(
      OTHERS * ROWS_OF_EACH,
    );
  });

  it('reads the imports of its organization by an index', async () => {
    await database.query(
      `INSERT INTO contacts.contact_import (id, organization_id, file_sha256, header, delimiter, report, rows_read, created,
         updated, unchanged, skipped_duplicate, skipped_empty, failed)
       SELECT gen_random_uuid(), gen_random_uuid(), '', '{}', ',', '{"errors": []}', 1, 0, 0, 0, 0, 0, 1
       FROM generate_series(1, 2000)`,
    );
    await database.query('ANALYZE contacts.contact_import');
    for (const text of [IMPORTS_WITH_FAILED_ROWS, ERASE_REPORTED_VALUES]) {
      const read = await rowsRead(database, { text }, [organizationId], 'contact_import');
      // An update shows its table twice.
      expect(read.rows).toBeLessThanOrEqual(2);
    }
  });

  it('reads the stored responses with its id alone', async () => {
    const read = await rowsRead(database, ERASE_BY_ID, [importId, '{}'], 'idempotent_request');
    expect(read.indexes).toContain('idempotent_request_ids');
    expect(read.rows).toBeLessThanOrEqual(4);
  });

  it('reads the stored responses with a subject alone, where the organization has many others', async () => {
    const values = [organizationId, '{}', SUBJECT];
    const read = await rowsRead(database, ERASE_BY_SUBJECT, values, 'idempotent_request');
    expect(read.indexes).toContain('idempotent_request_subject');
    expect(read.rows).toBeLessThanOrEqual(4);
  });

  describe('erases', () => {
    beforeEach(() => database.query('TRUNCATE http.idempotent_request'));

    it('the responses with a subject, not those without or of another organization', async () => {
      await answered(organizationId, 1);
      await answered(randomUUID(), 1, SUBJECT);
      await eraseStoredResponses(database, { id: organizationId, subject: SUBJECT }, GONE);
      expect(await erased()).toBe(0);
      await answered(organizationId, 1, SUBJECT);
      await eraseStoredResponses(database, { id: organizationId, subject: SUBJECT }, GONE);
      expect(await erased()).toBe(1);
    });
  });
});
