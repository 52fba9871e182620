import { DataSource, type QueryRunner } from 'typeorm';
import { applyMigrations, dataSourceOptions, type MigrationClass } from '#libs/database';
import { allMigrations, migrate } from '../../src/operator/apply-migrations.js';
import { rebuildProjections } from '../../src/operator/rebuild-projections.js';
import { BusinessApi } from '../support/business-api.js';
import { ContactsWorld } from '../support/contacts-world.js';
import { importing } from '../support/csv-import.js';
import { inDays, PostsWorld } from '../support/posts-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Expands as much as a release may: a column of each table, the log included, and a table. */
class NextRelease1999999999999 {
  async up(runner: QueryRunner): Promise<void> {
    const tables = (await runner.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables JOIN pg_class c
         ON c.oid = format('%I.%I', schemaname, tablename)::regclass
       WHERE schemaname !~ '^(pg_|public|information_schema)' AND NOT relispartition`,
    )) as { name: string }[];
    for (const { name } of tables)
      await runner.query(`ALTER TABLE ${name} ADD COLUMN added_next text NOT NULL DEFAULT 'next'`);
    await runner.query('CREATE TABLE posts.added_next (id uuid PRIMARY KEY)');
  }
  down = () => Promise.resolve();
}

async function migrateToNext(test: TestDatabase): Promise<string[]> {
  const migrations: readonly MigrationClass[] = [...allMigrations, NextRelease1999999999999];
  const source = await new DataSource(
    dataSourceOptions({ ...test.settings, poolSize: 2 }, migrations),
  ).initialize();
  return applyMigrations(source).finally(() => source.destroy());
}

describe('this release together with the next one, which has migrated the database,', () => {
  let api: BusinessApi;
  let posts: Awaited<ReturnType<typeof PostsWorld.of>>;

  beforeAll(async () => {
    const test = await createTestDatabase();
    expect(await migrateToNext(test)).toEqual(['NextRelease1999999999999']);
    expect(await migrate(test.environment)).toEqual([]);
    api = await BusinessApi.start({}, test);
    posts = await PostsWorld.of(api);
  });
  afterAll(() => api.stop());

  it('writes, imports, follows the log and rebuilds its views', async () => {
    const contacts = new ContactsWorld(api);
    const { id } = await posts.scheduled();
    expect((await posts.call('PUT', `/api/posts/${id}`, { text: 'Edited' })).status).toBe(200);
    await contacts.contact({ name: 'Ada Lovelace' });
    const token = api.identity.user({ organizations: [{ id: contacts.organizationId, role: 'member' }] });
    const imported = await importing(api.service.url, token, {
      file: 'name,email\nGrace,grace@example.com\n',
    });
    expect(imported.body.totals).toMatchObject({ created: 1, failed: 0 });
    expect(await contacts.found('grace')).toEqual(['Grace']);

    await api.followed();
    const audit = await posts.call('GET', `/api/content-ops/events?contentId=${id}`);
    expect(audit.body.data).toHaveLength(3);
    const rebuilt = await rebuildProjections(undefined, api.test.environment);
    expect(rebuilt).toContainEqual(expect.objectContaining({ name: 'content-ops.audit', differences: 0 }));
    expect((await posts.call('GET', `/api/posts/${id}`)).body.text).toBe('Edited');
  });

  it('refuses for the moment to change what an event of the next version is about, and nothing else', async () => {
    const [newer, other] = [await posts.scheduled(), await posts.scheduled()];
    await api.test.database.query(
      `INSERT INTO events.event (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
       SELECT transaction_id, stream, version + 1, at, gen_random_uuid(), schema_version + 1, stream_type, type,
              data || '{"addedNext": true}', metadata
       FROM events.event WHERE stream = $1 ORDER BY version DESC LIMIT 1`,
      [newer.id],
    );
    const edit = (id: string) => posts.call('PUT', `/api/posts/${id}`, { scheduledAt: inDays(3) });
    const refused = await edit(newer.id);
    expect([refused.status, refused.body.code]).toEqual([503, 'event_of_newer_release']);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await posts.call('GET', `/api/posts/${newer.id}`)).status).toBe(200);
    expect((await edit(other.id)).status).toBe(200);
  });
});
