import { randomUUID } from 'node:crypto';
import { type EventMetadata, EventStore, Projections, Reactions } from '#libs/event-store';
import { CountActivityWhenContentChanges } from '../../src/content-ops/daily/count-activity-when-content-changes.reaction.js';
import { RecordAnAuditEventWhenAnythingHappens } from '../../src/content-ops/audit/record-an-audit-event-when-anything-happens.reaction.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const BRANDS = [randomUUID(), randomUUID()] as const;
const ORGANIZATION = randomUUID();

const metadata = (brandId: string | null): EventMetadata => ({
  organizationId: ORGANIZATION,
  brandId,
  actor: { type: 'user', id: randomUUID() },
  channel: 'bearer',
  requestId: 'req-1',
  correlationId: 'cor-1',
  causationId: null,
});

describe('the audit and the rollup of a log', () => {
  let test: TestDatabase;
  let store: EventStore;
  let reactions: Reactions;
  let projections: Projections;

  const append = (stream: string, types: string[], brandId: string | null = BRANDS[0]) =>
    test.database.transaction((transaction) =>
      store.append(transaction, {
        ...{ stream, streamType: 'post', expected: 'any', metadata: metadata(brandId) },
        events: types.map((type) => ({
          type,
          data: { postId: stream, brandId, text: `${type} of ${stream}` },
        })),
      }),
    );
  const caughtUp = () =>
    waitUntil(async () =>
      (await reactions.status()).every(({ lagEvents, state }) => lagEvents === 0 && state === 'running'),
    );
  const audit = () =>
    test.database.query<{ entry: string; chain: string; event_id: string; hash: Buffer }>(
      'SELECT entry, chain, event_id, hash FROM content_ops.audit_event ORDER BY entry',
    );
  const rollup = () =>
    test.database.query('SELECT * FROM content_ops.daily_rollup ORDER BY brand_id, quarter_hour');
  const faults = () => test.database.query('SELECT * FROM content_ops.audit_faults()');
  const tamper = (sql: string, values: unknown[] = []) =>
    test.database.transaction(async (transaction) => {
      await transaction.query("SET LOCAL session_replication_role = 'replica'");
      await transaction.query(sql, values);
    });

  beforeEach(async () => {
    test = await createTestDatabase();
    store = new EventStore(test.database);
    reactions = new Reactions(test.database, store);
    reactions.register(new RecordAnAuditEventWhenAnythingHappens(), { batchSize: 3 });
    reactions.register(new CountActivityWhenContentChanges(), { batchSize: 3 });
    projections = new Projections(test.database, store, reactions, () => []);
    reactions.start();
  });

  afterEach(async () => {
    await reactions.stop();
    await test.drop();
  });

  const someHistory = async () => {
    const posts = Array.from({ length: 6 }, () => randomUUID());
    for (const [index, post] of posts.entries()) {
      await append(post, ['PostDrafted', 'PostScheduled'], BRANDS[index % 2]);
    }
    await append(randomUUID(), ['ApiKeyRotated'], null);
    await Promise.all(posts.map((post, index) => append(post, ['PostPublished'], BRANDS[index % 2])));
    await caughtUp();
  };

  it('hold every event once, in the order of the log', async () => {
    await someHistory();
    const { events } = await store.readAll({ transactionId: '0', position: '0' }, 100);
    const rows = await audit();
    expect(rows.map((row) => row.event_id)).toEqual(events.map((event) => event.id));
    expect(rows.map((row) => Number(row.entry))).toEqual(events.map((_, index) => index + 1));
    expect(await faults()).toEqual([]);
    expect(await rollup()).toMatchObject([
      { created: 3, scheduled: 3, published: 3 },
      { created: 3, scheduled: 3, published: 3 },
    ]);
  });

  it('are unchanged by a rebuild, and continue after it', async () => {
    await someHistory();
    const before = { audit: await audit(), rollup: await rollup() };
    const rebuilt = await projections.rebuild();
    expect(rebuilt).toMatchObject([
      { name: 'content-ops.audit', count: 19, differences: 0 },
      { name: 'content-ops.daily-rollup', count: 19 },
    ]);
    expect({ audit: await audit(), rollup: await rollup() }).toEqual(before);
    await someHistory();
    expect(await audit()).toHaveLength(38);
    expect(await faults()).toEqual([]);
  });

  it('count what was lost again, which a rollup may', async () => {
    await someHistory();
    const before = await rollup();
    await test.database.query('DELETE FROM content_ops.daily_rollup');
    await projections.rebuild('content-ops.daily-rollup');
    expect(await rollup()).toEqual(before);
  });

  describe('a forged chain with recomputed hashes', () => {
    const chain = `brand:${BRANDS[0]}`;

    /** As somebody would who knows how the chain is made. */
    const closeAgain = async () => {
      const rows = (await audit()).filter((row) => row.chain === chain);
      for (const { entry } of rows) {
        await tamper(
          `UPDATE content_ops.audit_event e SET previous_hash = coalesce(
             (SELECT hash FROM content_ops.audit_event WHERE chain = e.chain AND entry < e.entry ORDER BY entry DESC LIMIT 1),
             sha256(convert_to(e.chain, 'UTF8'))) WHERE entry = $1`,
          [entry],
        );
        await tamper(
          'UPDATE content_ops.audit_event e SET hash = content_ops.audit_hash(e) WHERE entry = $1',
          [entry],
        );
      }
      await tamper(
        `UPDATE content_ops.audit_chain SET (entries, hash) =
           (SELECT count(*), (array_agg(hash ORDER BY entry DESC))[1] FROM content_ops.audit_event WHERE chain = $1) WHERE chain = $1`,
        [chain],
      );
    };

    it.each([
      ['rewritten', "UPDATE content_ops.audit_event SET kind = 'post.deleted' WHERE entry = 5"],
      [
        'cut off at its end',
        `DELETE FROM content_ops.audit_event WHERE entry = (SELECT max(entry) FROM content_ops.audit_event WHERE chain = '${chain}')`,
      ],
      ['cut out of its beginning', 'DELETE FROM content_ops.audit_event WHERE entry = 1'],
    ])('is given away by the log, and stays as it is: %s', async (_, sql) => {
      await someHistory();
      await tamper(sql);
      await closeAgain();
      expect(await faults()).toEqual([]);
      const forged = await audit();
      const [compared] = await projections.rebuild('content-ops.audit');
      expect(compared?.differences).toBeGreaterThan(0);
      expect(await audit()).toEqual(forged);
    });
  });
});
