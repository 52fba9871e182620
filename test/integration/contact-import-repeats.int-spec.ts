import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Database, dataSourceOptions } from '#libs/database';
import { BlocksRead, blocksOf, explainStatements } from '../../bench/support/blocks-read.js';
import { importDirectly } from '../support/import-directly.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const ROWS = 1_000;
/** Of one statement for one row of the file. Comparing each row with each other one would look at a thousand. */
const MAX_ROWS_PER_ROW = 150;

type Row = readonly [header: string, cells: (n: number) => string];
const KINDS: Readonly<Record<string, Row>> = {
  'an address': ['name,email,company', (n) => `Person ${n},p${n}@example.com,C ${n % 50}`],
  'an address and a note': ['name,email,notes', (n) => `Person ${n},p${n}@example.com,Note ${n}`],
  'a role address': ['name,email', (n) => `Person ${n},info@${n % 20}.example.com`],
  'several addresses': [
    'name,email,additionalEmails',
    (n) => `Person ${n},p${n}@example.com,q${n}@example.com; q${n}@example.org`,
  ],
  'an external id': ['name,externalId,company', (n) => `Person ${n},E${n},C ${n % 50}`],
  'a phone': ['name,phones', (n) => `Person ${n},+4206010${1000 + n}`],
  'the contact of another row': [
    'name,email,notes',
    (n) => `Person ${n >> 1},p${n >> 1}@example.com,Note ${n}`,
  ],
  'one contact of all': ['name,email,notes', (n) => `Jana,jana@example.com,Note ${n}`],
};

describe('the cost of importing the same file again', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase({ isDirect: true });
    await explainStatements(test);
    const options = dataSourceOptions({ ...test.settings, poolSize: 4 }, []);
    database = new Database(await new DataSource(options).initialize());
    // Statistics from before the first import: PostgreSQL expects no contact of the organization.
    await database.query('ALTER TABLE contacts.contact SET (autovacuum_enabled = off)');
    await database.query(
      `INSERT INTO contacts.contact (id, organization_id, name, email, email_key)
       SELECT gen_random_uuid(), gen_random_uuid(), 'Other', n || '@example.com', n || '@example.com'
       FROM generate_series(1, 500) AS n`,
    );
    await database.query('VACUUM ANALYZE contacts.contact');
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await test.drop();
  });

  it.each(Object.entries(KINDS))('is that of its rows, where each has %s', async (_, [header, cells]) => {
    const watch = new BlocksRead(database);
    const organizationId = randomUUID();
    const file = [header, ...Array.from({ length: ROWS }, (__, n) => cells(n))].join('\n');
    const [first, again] = [
      await watch.during(() => importDirectly(database, file, { organizationId })),
      await watch.during(() => importDirectly(database, file, { organizationId })),
    ];
    const most = Math.max(...[...first, ...again].map(({ rows }) => rows));
    expect(most / ROWS).toBeLessThan(MAX_ROWS_PER_ROW);
    expect(blocksOf(again)).toBeLessThan(2 * blocksOf(first));
  });
});
