import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { Client } from 'pg';
import { DatabaseIsUnfit, DatabaseModule } from '#libs/database';
import { onServer, serverUrl } from '../support/test-database.js';

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
    const config = { url: serverUrl(name), poolSize: 1 };
    const service = NestFactory.createApplicationContext(DatabaseModule.forRoot(config, []), {
      ...{ logger: false, abortOnError: false },
    });
    await expect(service).rejects.toThrow(DatabaseIsUnfit);
  });

  it('fails with the reason', async () => {
    const nowhere = migrationRun({ DATABASE_URL: 'postgres://localhost:1/nothing' });
    await expect(nowhere).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') });
  });
});
