import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { Client } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import {
  applyMigrations,
  DatabaseIsNotSupported,
  DatabaseModule,
  dataSourceOptions,
  type MigrationClass,
} from '#libs/database';
import { httpMigrations } from '#libs/http';
import { onServer, serverUrl, unreleased } from '../support/test-database.js';

const run = promisify(execFile);

/** The command of the script, as the image runs it too. */
async function migrationRun(environment: Record<string, string>): Promise<string> {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [node, ...args] = scripts['migration:run']?.split(' ') ?? [];
  expect(node).toBe('node');
  return (await run(process.execPath, args, { env: environment })).stdout;
}

const serviceOn = (name: string) =>
  NestFactory.createApplicationContext(
    DatabaseModule.forRoot({ url: serverUrl(name), poolSize: 1 }, httpMigrations),
    { logger: false, abortOnError: false },
  );

async function schemasIn(name: string): Promise<string[]> {
  const client = new Client({ connectionString: serverUrl(name) });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$' ORDER BY 1`,
  );
  await client.end();
  return rows.map(({ name }) => name);
}

describe('the command that applies migrations', () => {
  const databases: string[] = [];
  const emptyDatabase = async (options = '') => {
    const name = `migrate_${randomUUID().replaceAll('-', '')}`;
    await onServer((server) => server.query(`CREATE DATABASE ${name} ${options}`));
    databases.push(name);
    return name;
  };
  afterAll(async () => {
    for (const name of databases)
      await onServer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
  });

  it('creates identity’s tables in identity’s database only', async () => {
    const [business, identity] = [await emptyDatabase(), await emptyDatabase()];
    await migrationRun({ DATABASE_URL: serverUrl(business), IDENTITY_DATABASE_URL: serverUrl(identity) });
    expect(await schemasIn(identity)).toEqual(['due_work', 'http', 'identity', 'public']);
    expect(await schemasIn(business)).toEqual(
      expect.arrayContaining(['contacts', 'events', 'http', 'posts']),
    );
    expect(await schemasIn(business)).not.toContain('identity');
  });

  it('puts all of it into one database where only one is named, once', async () => {
    const name = await emptyDatabase();
    const first = await migrationRun({ DATABASE_URL: serverUrl(name) });
    expect(first).toMatch(/^[1-9]\d* migrations applied; nothing is missing\.$/m);
    expect(await schemasIn(name)).toEqual(expect.arrayContaining(['contacts', 'identity']));
    expect(await migrationRun({ DATABASE_URL: serverUrl(name) })).toBe(
      '0 migrations applied; nothing is missing.\n',
    );
  });

  it.each([
    ["ENCODING 'UTF8' LOCALE 'C'", 'The locale of the database knows English letters only.'],
    ["ENCODING 'LATIN1' LOCALE 'C'", 'The database must be in UTF8, and is in LATIN1.'],
  ])('refuses a database created with %s, as a service does', async (made, sentence) => {
    const name = await emptyDatabase(`TEMPLATE template0 ${made}`);
    const refused = { stderr: expect.stringContaining(sentence), code: 1 };
    await expect(migrationRun({ DATABASE_URL: serverUrl(name) })).rejects.toMatchObject(refused);
    expect(await schemasIn(name)).toEqual(['public']);
    await expect(serviceOn(name)).rejects.toThrow(DatabaseIsNotSupported);
  });

  it('refuses a database of a version before the first release, as a service does', async () => {
    const name = await emptyDatabase();
    await unreleased(name);
    const sentence =
      /^The database was created by a version before 1\.0\.0[^\n]*npm start -- --reset[^\n]*\n$/;
    const refused = { stderr: expect.stringMatching(sentence), code: 1 };
    await expect(migrationRun({ DATABASE_URL: serverUrl(name) })).rejects.toMatchObject(refused);
    expect(await schemasIn(name)).toEqual(['public']);
    await expect(serviceOn(name)).rejects.toThrow(DatabaseIsNotSupported);
  });

  describe('when another transaction holds a table that a migration changes', () => {
    let tries = 0;
    let holder: Client;
    let dataSource: DataSource;
    class First1790000000001 {
      up = (runner: QueryRunner) => runner.query('CREATE TABLE held (id int)').then(() => undefined);
      down = () => Promise.resolve();
    }
    class Second1790000000002 {
      async up(runner: QueryRunner): Promise<void> {
        tries += 1;
        if (tries === 1) await holder.query('BEGIN; LOCK TABLE held IN ACCESS SHARE MODE');
        if (tries === 3) await holder.query('COMMIT');
        await runner.query('ALTER TABLE held ADD COLUMN more int');
      }
      down = () => Promise.resolve();
    }
    beforeAll(async () => {
      const url = serverUrl(await emptyDatabase());
      holder = new Client({ connectionString: url });
      await holder.connect();
      const migrations: readonly MigrationClass[] = [First1790000000001, Second1790000000002];
      dataSource = new DataSource(dataSourceOptions({ url, poolSize: 2, lockTimeoutMs: 20 }, migrations));
      await dataSource.initialize();
    });
    afterAll(async () => {
      await dataSource.destroy();
      await holder.end();
    });

    it('gives the lock up, keeps the migrations before it, and repeats it', async () => {
      await expect(applyMigrations(dataSource, [])).rejects.toMatchObject({ code: '55P03' });
      expect(await dataSource.query('SELECT name FROM schema_migration')).toEqual([
        { name: 'First1790000000001' },
      ]);
      await holder.query('SELECT FROM held');
      expect(await applyMigrations(dataSource, [1, 1])).toEqual(['Second1790000000002']);
      expect(tries).toBe(3);
      expect(await dataSource.query('SELECT more FROM held')).toEqual([]);
    });
  });

  it('fails with the reason', async () => {
    const nowhere = migrationRun({ DATABASE_URL: 'postgres://localhost:1/nothing' });
    await expect(nowhere).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') });
  });
});
