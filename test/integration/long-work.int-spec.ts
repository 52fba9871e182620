import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Database, dataSourceOptions } from '#libs/database';
import { ContactSearch } from '../../src/contacts/queries/contacts.search.js';
import { copyRows } from '../../src/contacts/csv/export/copy-rows.js';
import { ExportContacts, ExportContactsHandler } from '../../src/contacts/csv/export/export-contacts.js';
import { StagedRowsSweep } from '../../src/contacts/csv/import/import.sweeps.js';
import { importDirectly } from '../support/import-directly.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const LIMITS = { statementTimeoutMs: 20_000, longStatementTimeoutMs: 60_000 };
const [SHORT, LONG] = ['20s', '1min'];
const SHOWN = `SELECT current_setting('statement_timeout') AS limit`;

/** Notes under which limit the statements run that change these tables. */
const NOTES = `
  CREATE TABLE public.note (id int GENERATED ALWAYS AS IDENTITY, what text, time_limit text);
  CREATE FUNCTION public.take_note() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO public.note (what, time_limit)
    VALUES (TG_OP || ' ' || TG_TABLE_NAME, current_setting('statement_timeout'));
    RETURN NULL;
  END $$;
  CREATE TRIGGER take_note AFTER INSERT OR DELETE ON contacts.import_row EXECUTE FUNCTION public.take_note();
  CREATE TRIGGER take_note AFTER INSERT ON contacts.contact EXECUTE FUNCTION public.take_note();
  CREATE TRIGGER take_note AFTER DELETE ON contacts.import_lease EXECUTE FUNCTION public.take_note()`;

describe('the long limit of statements', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    const options = dataSourceOptions({ ...test.settings, poolSize: 4, ...LIMITS }, []);
    database = new Database(await new DataSource(options).initialize());
    await test.database.query(NOTES);
  });
  beforeEach(() => test.database.query('TRUNCATE public.note'));
  afterAll(async () => {
    await database.dataSource.destroy();
    await test.drop();
  });

  const notes = async () =>
    (
      await test.database.query<{ what: string; time_limit: string }>(
        'SELECT what, time_limit FROM public.note ORDER BY id',
      )
    ).map(({ what, time_limit }) => `${what}: ${time_limit}`);

  it('is that of an import, from the rows that others left to its own', async () => {
    await importDirectly(database, 'name,email\nJana,jana@example.com\n', { organizationId: randomUUID() });
    expect(await notes()).toEqual([
      `DELETE import_row: ${LONG}`,
      `INSERT import_row: ${LONG}`,
      `INSERT contact: ${LONG}`,
      `DELETE import_row: ${LONG}`,
      `DELETE import_lease: ${SHORT}`,
    ]);
  });

  it('is that of a sweep', async () => {
    await new StagedRowsSweep(database).tick();
    expect(await notes()).toEqual([`DELETE import_row: ${LONG}`, `DELETE import_lease: ${LONG}`]);
  });

  it('is that of the rows of an export', async () => {
    const rows: string[][] = [];
    await copyRows(database, SHOWN, (some) => rows.push(...some));
    expect(rows).toEqual([[LONG]]);
  });

  it('is that of what an export asks about all contacts before', async () => {
    const limits: (string | undefined)[] = [];
    const query = database.query.bind(database);
    const asking = jest.spyOn(database, 'query').mockImplementation(async (...asked) => {
      limits.push((await query<{ limit: string }>(SHOWN))[0]?.limit);
      return query(...asked);
    });
    const what = { organizationIds: [randomUUID()], deleted: false, raw: false };
    const handler = new ExportContactsHandler(database, new ContactSearch(database));
    const { text } = await handler.execute(new ExportContacts(what));
    const chunks: string[] = [];
    for await (const chunk of text) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(1);
    asking.mockRestore();
    // The day, the keys of custom fields, the details that are there.
    expect(limits).toEqual([SHORT, LONG, LONG]);
  });
});
