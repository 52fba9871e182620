import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#libs/database';
import { ContactNameForms1790000000822 } from '../../src/contacts/migrations/1790000000822-contact-name-forms.js';
import { contactsMigrations } from '../../src/contacts/migrations/index.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

describe("contacts' tables", () => {
  let test: TestDatabase;
  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(() => test.drop());

  it('are searched without zero-width spaces once they are migrated, and only these rows are written', async () => {
    const source = await new DataSource(dataSourceOptions({ url: test.url, poolSize: 2 }, [])).initialize();
    const runner = source.createQueryRunner();
    const migration = new ContactNameForms1790000000822();
    await migration.down(runner);
    const [organizationId, names] = [randomUUID(), ['Zero\u200bwidth', 'Other']];
    await source.query(
      'INSERT INTO contacts.contact (id, organization_id, name) SELECT gen_random_uuid(), $1, unnest($2::text[])',
      [organizationId, names],
    );
    const rows = () =>
      source.query<{ name: string; xmin: string; isFound: boolean }[]>(
        `SELECT name, xmin::text, search @@ (contacts.mark_of(organization_id) || 'zerowidth')::tsquery AND haystack LIKE '%zerowidth%' AS "isFound"
         FROM contacts.contact WHERE organization_id = $1 ORDER BY id, name`,
        [organizationId],
      );
    const before = new Map((await rows()).map(({ name, xmin }) => [name, xmin]));
    await migration.up(runner);
    const [zero, other] = names.map((name) => async () => (await rows()).find((row) => row.name === name));
    expect(await zero?.()).toMatchObject({ isFound: true });
    expect(await other?.()).toMatchObject({ isFound: false, xmin: before.get('Other') });
    const byName = `SELECT name FROM contacts.contact WHERE organization_id = $1 AND deleted_at IS NULL
      AND contacts.sort_name(name, email) = 'zerowidth'`;
    expect(await source.query(byName, [organizationId])).toEqual([{ name: names[0] }]);
    await runner.release();
    await source.destroy();
  });

  it('are after each step back what they were before the step', async () => {
    const source = await new DataSource(
      dataSourceOptions({ ...test.settings, poolSize: 2 }, []),
    ).initialize();
    const runner = source.createQueryRunner();
    const ofSchema = `n.nspname = 'contacts' ORDER BY 1, 2`;
    const now = async () => ({
      columns: await source.query<unknown[]>(
        `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull,
                pg_get_expr(d.adbin, d.adrelid) AS expression
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
           LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
          WHERE c.relkind = 'r' AND ${ofSchema}`,
      ),
      indexes: await source.query<unknown[]>(
        `SELECT c.relname, pg_get_indexdef(c.oid) AS definition FROM pg_class c
           JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'i' AND ${ofSchema}`,
      ),
      functions: await source.query<unknown[]>(
        `SELECT p.proname, pg_get_functiondef(p.oid) AS definition FROM pg_proc p
           JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${ofSchema}`,
      ),
    });
    for (const Migration of contactsMigrations.toReversed()) await new Migration().down(runner);
    const before: Awaited<ReturnType<typeof now>>[] = [];
    for (const Migration of contactsMigrations) {
      before.push(await now());
      await new Migration().up(runner);
    }
    for (const Migration of contactsMigrations.toReversed()) {
      await new Migration().down(runner);
      expect({ migration: Migration.name, ...(await now()) }).toEqual({
        migration: Migration.name,
        ...before.pop(),
      });
    }
    for (const Migration of contactsMigrations) await new Migration().up(runner);
    await runner.release();
    await source.destroy();
  });
});
