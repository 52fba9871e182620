import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FakeIdentity, type ServedIdentity, serveFakeIdentity } from '#libs/platform-client/testing';
import { importing } from '../support/csv-import.js';
import { sharedStorage } from '../support/object-storage.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const ROWS = 4_000;
/** Of each file, one row is no contact. */
const GOOD = ROWS - 1;

describe('the API killed in the middle of an import', () => {
  let test: TestDatabase;
  let identity: ServedIdentity;
  let folder: string;
  let token: string;
  let api: SpawnedEntry | undefined;
  const organizationId = randomUUID();

  beforeAll(async () => {
    test = await createTestDatabase();
    const fake = new FakeIdentity();
    identity = await serveFakeIdentity(fake);
    token = fake.user({ organizations: [{ id: organizationId }] });
    folder = await mkdtemp(join(tmpdir(), 'import-killed-'));
  });
  afterAll(async () => {
    api?.process.kill('SIGKILL');
    await identity.close();
    await test.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const start = () =>
    spawnEntry('dist/src/main.js', {
      ...{ ...test.environment, IDENTITY_URL: identity.url, TMPDIR: folder, ...sharedStorage() },
      ...{ API_PORT: '0', API_MANAGEMENT_PORT: '0', LOG_LEVEL: 'silent' },
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
    });

  const holds = async (condition: string, values: unknown[] = []) => {
    const [row] = await test.database.query<{ holds: boolean }>(`SELECT ${condition} AS holds`, values);
    return row?.holds ?? false;
  };
  const IS_STAGED = `EXISTS (SELECT FROM contacts.import_row UNION ALL SELECT FROM contacts.import_plan
    UNION ALL SELECT FROM contacts.import_contact)`;
  const IS_RUNNING = `EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
    AND pid <> pg_backend_pid() AND query ~ $1)`;
  const isRunning = (statement: string) => waitUntil(() => holds(IS_RUNNING, [statement]));

  /** Half of the rows are about contacts that are there from the second round on. */
  const file = (round: number) => {
    const rows = Array.from({ length: GOOD }, (_, n) => {
      const who = n % 2 ? `known${n}` : `new${n}of${round}`;
      return `${who},${who}@example.com,Round ${round}\n`;
    });
    return `name,email,company\n${rows.join('')},nobody,\n`;
  };
  const send = (round: number) =>
    importing(
      api?.url ?? '',
      token,
      { file: file(round), name: `${round}.csv` },
      { 'idempotency-key': `round-${round}` },
    );

  /** What is to be seen of a round. */
  const traces = async (round: number) => {
    const [row] = await test.database.query<Record<string, number>>(
      `WITH import AS (SELECT id FROM contacts.contact_import WHERE report->'file'->>'name' = $1 || '.csv')
       SELECT (SELECT count(*)::int FROM contacts.contact WHERE company = 'Round ' || $1) AS contacts,
         (SELECT count(*)::int FROM import) AS imports,
         (SELECT count(*)::int FROM import JOIN events.event AS e ON e.stream = import.id) AS events,
         (SELECT count(*)::int FROM import JOIN contacts.import_failed_row AS f ON f.import_id = import.id) AS failed`,
      [String(round)],
    );
    return row;
  };
  const NOTHING = { contacts: 0, imports: 0, events: 0, failed: 0 };
  const ALL = { contacts: GOOD, imports: 1, events: 1, failed: 1 };

  /** A moment, and how long it lasts. */
  const MOMENTS: [string, () => Promise<unknown>][] = [
    ['while the file arrives', () => pause(Math.random() * 40)],
    ['while rows are read', () => waitUntil(() => holds(IS_STAGED))],
    ['while the plan is made', () => isRunning('^\\s*INSERT INTO contacts.import_(plan|contact)')],
    ['while contacts are changed', () => isRunning('^\\s*WITH import_row .* UPDATE contacts.contact ')],
    ['while contacts are added', () => isRunning('^\\s*INSERT INTO contacts.contact ')],
    ['at any moment', () => pause(Math.random() * 2_000)],
  ];

  const killWhen = async (round: number, itIsTime: () => Promise<unknown>) => {
    const asked = send(round).catch(() => undefined);
    // A fast machine may be done before the moment was seen; then it is killed after the answer.
    await Promise.race([itIsTime().catch(() => undefined), asked]);
    api?.process.kill('SIGKILL');
    const answer = await asked;
    expect(await readdir(folder)).toEqual([]);
    api = await start();
    // The slots of its uploads are free again after their lease, which this test does not wait for.
    await test.database.query(`UPDATE due_work.lease SET until = now() WHERE key LIKE 'upload:%'`);
    return answer;
  };

  /** Without the key of the dead one. */
  const theNextOneComesIn = () =>
    waitUntil(async () => (await importing(api?.url ?? '', token, { file: 'name\nOther\n' })).status === 200);

  it('imports all rows or none, and a retry imports them once', async () => {
    api = await start();
    expect((await send(0)).body.totals).toMatchObject({ created: GOOD, failed: 1 });
    let cut = 0;
    for (const [index, [moment, itIsTime]] of MOMENTS.entries()) {
      const round = index + 1;
      const answer = await killWhen(round, itIsTime);
      const left = await traces(round);
      expect([moment, left]).toEqual([moment, left?.imports ? ALL : NOTHING]);
      if (answer?.status === 200) expect(left).toEqual(ALL);
      else cut += 1;
      await theNextOneComesIn();
      await waitUntil(async () => !(await holds(IS_STAGED)));

      // With the key it has to wait until the dead process is taken for dead, which this test does not.
      const early = await send(round);
      expect([200, 409]).toContain(early.status);
      if (early.status === 409) {
        expect(early.body.code).toBe('idempotent_request_running');
        expect(early.headers.get('retry-after')).toBe('1');
        await test.database.query(
          'UPDATE http.idempotent_request SET lease_until = now() WHERE response IS NULL',
        );
      }
      const again = await send(round);
      expect([again.status, again.body.totals?.rowsRead]).toEqual([200, ROWS]);
      if (answer?.status === 200) expect(again.text).toBe(answer.text);
      expect(await traces(round)).toEqual(ALL);
    }
    expect(cut).toBeGreaterThanOrEqual(MOMENTS.length / 2);
  }, 600_000);

  it('releases its turn, so that the next import starts', async () => {
    api ??= await start();
    await send(0);
    await test.database.session(async (session) => {
      await session.query('BEGIN');
      await session.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await session.query(`SELECT FROM contacts.contact WHERE name = 'known1' FOR UPDATE`);
      await killWhen(100, () => isRunning('FOR NO KEY UPDATE'));
      await theNextOneComesIn();
      await session.query('ROLLBACK');
    });
    expect(await traces(100)).toEqual(NOTHING);
  });
});
