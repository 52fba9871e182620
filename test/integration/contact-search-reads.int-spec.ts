import { randomUUID } from 'node:crypto';
import type { Database } from '#libs/database';
import { ContactSearch } from '../../src/contacts/queries/contacts.search.js';
import { SearchContacts, SearchContactsHandler } from '../../src/contacts/queries/search-contacts.js';
import { rowsRead } from '../support/rows-read.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const CONTACTS = 20_000;

describe('a search among many contacts', () => {
  const organizationId = randomUUID();
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
    await test.database.query(
      `INSERT INTO contacts.contact (id, organization_id, name, email, phones, external_id)
       SELECT gen_random_uuid(), $1, CASE n WHEN $2 THEN 'Com Bar' ELSE 'Person ' || n END, 'person' || n || '@example.com',
         ARRAY['0171/' || (2000000 + n)], CASE n WHEN 7 THEN '2012345' END
       FROM generate_series(1, $2::int) AS n`,
      [organizationId, CONTACTS],
    );
    await test.database.query('ANALYZE contacts.contact');
  });
  afterAll(() => test.drop());

  const search = async (text: string) => {
    const asked: { text: string; values: readonly unknown[] }[] = [];
    const database = {
      query: (sql: string, values: readonly unknown[]) => {
        if (sql.includes('contacts.contact c')) asked.push({ text: sql, values });
        return test.database.query(sql, values);
      },
    } as unknown as Database;
    const handler = new SearchContactsHandler(database, new ContactSearch(test.database));
    const request = {
      text,
      organizationIds: [organizationId],
      deleted: false,
      after: null,
      offset: 0,
      limit: 26,
    };
    const { contacts } = await handler.execute(new SearchContacts(request));
    let rows = 0;
    for (const each of asked) rows += (await rowsRead(test.database, each, each.values, 'contact')).rows;
    return { rows, names: contacts.map(({ contact }) => contact.name) };
  };

  it('reads a bounded number of them for a word that all have, and finds the one named so', async () => {
    const { rows, names } = await search('com');
    expect(rows).toBeLessThan(CONTACTS / 3);
    expect([names[0], names.length]).toEqual(['Com Bar', 26]);
  });

  it('reads two thousand namesakes, of which it ranks the first thousand', async () => {
    const { rows, names } = await search('person');
    expect(rows).toBeLessThan(1_600);
    expect(names).toHaveLength(26);
  });

  it('reads those that fit for a word that few have', async () => {
    const { rows, names } = await search('person19999');
    expect([rows < 10, names]).toEqual([true, ['Person 19999']]);
  });

  it.each([
    ['2012345', ['Person 7', 'Person 12345']],
    ['+49 171 2012345', ['Person 12345']],
  ])('reads those that have the number by its indexes: %s', async (text, expected) => {
    const { rows, names } = await search(text);
    expect([rows < 20, names]).toEqual([true, expected]);
  });
});

describe('pages of one search among more than a thousand namesakes', () => {
  const NAMESAKES = 1_100;
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  const namesakes = async () => {
    const organizationId = randomUUID();
    await test.database.query(
      `INSERT INTO contacts.contact (id, organization_id, name, company)
       SELECT gen_random_uuid(), $1, 'Yxcvb ' || n, 'Qwertz' FROM generate_series(1, $2::int) AS n`,
      [organizationId, NAMESAKES],
    );
    return organizationId;
  };

  const idsOf = async (organizationId: string, text: string) => {
    const handler = new SearchContactsHandler(test.database, new ContactSearch(test.database));
    const request = { text, organizationIds: [organizationId], deleted: false, after: null };
    const found = await handler.execute(new SearchContacts({ ...request, offset: 0, limit: 1_001 }));
    return found.contacts.map(({ contact }) => contact.id);
  };

  it.each(['yxcvb', 'yxvcb', 'xcvb', 'qwertz', 'qwretz', 'wertz'])(
    'are of the same thousand under every plan of the database: %s',
    async (text) => {
      const organizationId = await namesakes();
      const ids = await idsOf(organizationId, text);
      expect(ids).toHaveLength(1_000);
      const settings = [
        ['enable_bitmapscan'],
        ['enable_indexscan'],
        ['enable_bitmapscan', 'enable_indexscan'],
      ];
      for (const names of settings) {
        const others = await test.database.transaction(async (transaction) => {
          for (const name of names) await transaction.query(`SET LOCAL ${name} = off`);
          return idsOf(organizationId, text);
        });
        expect([names, others]).toEqual([names, ids]);
      }
    },
  );

  it.each(['yxcvb', 'yxvcb', 'xcvb', 'qwertz'])(
    'are of the same thousand after rows have moved in the table: %s',
    async (text) => {
      const organizationId = await namesakes();
      await test.database.query('ANALYZE contacts.contact');
      const ids = await idsOf(organizationId, text);
      await test.database.query(
        `UPDATE contacts.contact SET custom_fields = '{"moved": true}'
         WHERE organization_id = $1 AND length(name) < length('Yxcvb 100')`,
        [organizationId],
      );
      expect(await idsOf(organizationId, text)).toEqual(ids);
    },
  );

  it('end with the last match and do not go on with other kinds of matches', async () => {
    const organizationId = randomUUID();
    await test.database.query(
      `INSERT INTO contacts.contact (id, organization_id, name)
       SELECT gen_random_uuid(), $1, name FROM unnest(ARRAY['Gruber', 'Gruber Anna', 'Langruber']) AS name`,
      [organizationId],
    );
    const handler = new SearchContactsHandler(test.database, new ContactSearch(test.database));
    const request = { text: 'gruber', organizationIds: [organizationId], deleted: false, after: null };
    const beyond = await handler.execute(new SearchContacts({ ...request, offset: 2, limit: 3 }));
    expect(beyond).toEqual({ contacts: [], total: 2 });
  });
});
