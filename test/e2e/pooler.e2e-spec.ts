import { randomUUID } from 'node:crypto';
import { freePort } from '../../local/ports.js';
import { allMigrations, migrate } from '../../src/operator/apply-migrations.js';
import { bootIdentity, PASSWORD } from '../support/boot-identity.js';
import { BusinessApi } from '../support/business-api.js';
import { importing } from '../support/csv-import.js';
import { NO_PGBOUNCER, type PgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { PublishingForTests } from '../support/publishing.js';
import { createTestDatabase, onServer, serverUrl, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const ORGANIZATIONS = 8;
const ROWS = 300;
const POSTS = 5;

const unless = NO_PGBOUNCER ? describe.skip : describe;

unless(`behind PgBouncer in transaction mode${NO_PGBOUNCER ? `, ${NO_PGBOUNCER}` : ''}`, () => {
  let pooler: PgBouncer;

  // Fewer sessions than callers: each statement may meet another one's session.
  beforeAll(async () => (pooler = await startPgBouncer(serverUrl('postgres'), await freePort(), 4)));
  afterAll(() => pooler.stop());

  const fresh = async (): Promise<TestDatabase> => pooler.before(await createTestDatabase());

  it('migrations are applied to an empty database', async () => {
    const name = `empty_${randomUUID().replaceAll('-', '')}`;
    await onServer((server) => server.query(`CREATE DATABASE ${name}`));
    try {
      const environment = {
        DATABASE_URL: pooler.url(serverUrl(name)),
        DATABASE_NAMED_STATEMENTS: 'off',
      };
      expect(await migrate(environment)).toHaveLength(allMigrations.length);
      expect(await migrate(environment)).toEqual([]);
    } finally {
      await onServer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
    }
  });

  it('people sign in, renew and end their sessions', async () => {
    const identity = await bootIdentity({}, await fresh());
    try {
      const people = await Promise.all(Array.from({ length: 6 }, () => identity.person()));
      await Promise.all(
        people.map(async ({ email, refreshToken }) => {
          await identity.http
            .post('/api/auth/login')
            .send({ email, password: 'wrong horse battery' })
            .expect(401);
          await identity.http.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
          await identity.http.post('/api/auth/refresh').send({ refreshToken }).expect(200);
        }),
      );
    } finally {
      await identity.close();
    }
  });

  it('each organization gets its own rows, while others import, export and plan posts at once', async () => {
    const api = await BusinessApi.start({ DATABASE_POOL_SIZE: '20' }, await fresh());
    try {
      const people = Array.from({ length: ORGANIZATIONS }, () => api.person());
      const statuses: number[] = [];
      const exported = new Map<string, string>();
      const work = people.map(async ({ organizationId, token }) => {
        const call = api.as(token);
        const file = (round: number) =>
          `name,email,company\n${Array.from({ length: ROWS }, (_, n) => `Row ${n},row${n}@example.com,${organizationId} ${round}\n`).join('')},nobody,\n`;
        for (const round of [1, 2]) {
          const answers = await Promise.all([
            importing(api.service.url, token, { file: file(round), name: `${round}.csv` }),
            call('GET', '/api/contacts/export'),
            call('POST', '/api/brands', { name: `Brand ${round}` }),
            call('GET', `/api/contacts?q=row1&limit=50`),
          ]);
          statuses.push(...answers.map(({ status }) => status));
          const brandId = answers[2].body.id as string;
          const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
          const posts = await Promise.all(
            Array.from({ length: POSTS }, (_, n) =>
              call('POST', '/api/posts', {
                brandId,
                platform: 'x',
                text: `${organizationId} ${round} ${n}`,
                scheduledAt,
              }),
            ),
          );
          statuses.push(...posts.map(({ status }) => status));
        }
        const { status, text } = await call('GET', '/api/contacts/export');
        statuses.push(status);
        exported.set(organizationId, text);
      });
      await Promise.all(work);

      expect(statuses.filter((status) => status >= 400)).toEqual([]);
      const stored = await api.test.database.query<{ own: number; foreign: number }>(
        `SELECT count(*) FILTER (WHERE company = organization_id || ' 2')::int AS own,
                count(*) FILTER (WHERE company <> organization_id || ' 2')::int AS foreign
         FROM contacts.contact GROUP BY organization_id`,
      );
      expect(stored).toEqual(people.map(() => ({ own: ROWS, foreign: 0 })));
      for (const [organizationId, text] of exported)
        expect(text.split(`${organizationId} 2`)).toHaveLength(ROWS + 1);
      const staged = await api.test.database.query(
        'SELECT FROM contacts.import_row UNION ALL SELECT FROM contacts.import_lease',
      );
      expect(staged).toEqual([]);

      // Reactions follow through the pooler, each event once.
      await api.followed();
      const [audit] = await api.test.database.query<{ events: number; entries: number }>(
        `SELECT (SELECT count(*)::int FROM events.event) AS events,
                (SELECT count(*)::int FROM content_ops.audit_event) AS entries`,
      );
      expect(audit?.entries).toBe(audit?.events);
    } finally {
      await api.stop();
    }
  });

  it('posts are published by several workers, each once', async () => {
    const world = await PublishingForTests.start({}, await fresh());
    try {
      await Promise.all([world.worker(), world.worker()]);
      const brands = await Promise.all([1, 2, 3].map(() => world.connectedBrand()));
      const ids = await Promise.all(
        brands.flatMap(({ brandId }) => [1, 2, 3, 4].map(() => world.schedule({ brandId, inMs: 500 }))),
      );
      await waitUntil(async () => {
        const posts = await Promise.all(ids.map((id) => world.post(id)));
        return posts.every(({ status }) => status === 'published');
      }, 60_000);
      expect(Object.values(await world.published())).toEqual(ids.map(() => 1));
    } finally {
      await world.stop();
    }
  });
});
