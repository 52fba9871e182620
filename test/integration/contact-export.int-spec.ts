import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { ContactSearch } from '../../src/contacts/queries/contacts.search.js';
import { ExportContacts, ExportContactsHandler } from '../../src/contacts/csv/export/export-contacts.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('an export', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());
  afterEach(() => test.database.query('DELETE FROM contacts.contact'));

  /** The pieces it is sent in; of each the names of its contacts, and how long it is. */
  async function pieces(organizationId: string): Promise<{ names: string[]; length: number }[]> {
    const handler = new ExportContactsHandler(test.database, new ContactSearch(test.database));
    const what = { organizationIds: [organizationId], deleted: false, raw: false };
    const { text } = await handler.execute(new ExportContacts(what));
    const found: { names: string[]; length: number }[] = [];
    for await (const piece of text) {
      const names = piece.split('\r\n').flatMap((line) => /^P \d+/.exec(line) ?? []);
      found.push({ names, length: piece.length });
    }
    return found;
  }

  const add = (organizationId: string, count: number, customFields: string) =>
    test.database.query(
      `INSERT INTO contacts.contact (id, organization_id, name, custom_fields)
       SELECT lpad(to_hex(n), 32, '0')::uuid, $1, 'P ' || n, ${customFields} FROM generate_series(1, $2::int) AS n`,
      [organizationId, count],
    );

  it('is read in pieces of contacts as large as they are, however small the database can make them', async () => {
    const [organizationId, COUNT] = [randomUUID(), 100];
    const large = `(SELECT jsonb_object_agg('field' || k, repeat('abcd', 250)) FROM generate_series(1, 50) AS k)`;
    await add(organizationId, COUNT, large);
    const [kept] = await test.database.query<{ bytes: number }>(
      'SELECT sum(pg_column_size(custom_fields))::int AS bytes FROM contacts.contact WHERE organization_id = $1',
      [organizationId],
    );
    expect(kept?.bytes).toBeLessThan(500_000);
    const found = await pieces(organizationId);
    expect(found.flatMap(({ names }) => names)).toEqual(
      Array.from({ length: COUNT }, (_, n) => `P ${n + 1}`),
    );
    for (const { length } of found) expect(length).toBeLessThan(1_200_000);
  });

  it('sends the columns that every export has before it reads the contacts for the others', async () => {
    const organizationId = randomUUID();
    await add(organizationId, 1, `'{"language": "en"}'`);
    const query = jest.spyOn(test.database, 'query');
    const handler = new ExportContactsHandler(test.database, new ContactSearch(test.database));
    const what = { organizationIds: [organizationId], deleted: false, raw: false };
    const { text } = await handler.execute(new ExportContacts(what));
    const pieces = text[Symbol.asyncIterator]();
    const first = await pieces.next();
    expect(first.value).toBe('\ufeffname,email,company,jobTitle,phones,tags,externalId,');
    expect(query.mock.calls.filter(([sql]) => JSON.stringify(sql).includes('contacts.contact'))).toEqual([]);
    expect((await pieces.next()).value).toBe('customFields.language,id\r\n');
    query.mockRestore();
  });

  it('continues after the maximum of decompressed rows per page', async () => {
    const [organizationId, COUNT] = [randomUUID(), 450];
    await add(organizationId, COUNT, `jsonb_build_object('note', repeat('abc', 1000))`);
    const found = await pieces(organizationId);
    expect(found.map(({ names }) => names.length)).toEqual([0, 0, 200, 200, 50]);
    expect(found.flatMap(({ names }) => names)).toEqual(
      Array.from({ length: COUNT }, (_, n) => `P ${n + 1}`),
    );
  });
});
