import { randomUUID } from 'node:crypto';
import { Caller, isBrandAccessible } from '#libs/auth';
import type { Platform } from '#libs/content';
import { FakeIdentity } from '#libs/platform-client/testing';
import {
  type AuditPage,
  auditQuery,
  ListAuditEvents,
  ListAuditEventsHandler,
} from '../../src/content-ops/queries/list-audit-events.js';
import {
  conditionsOf,
  type PostFilters,
  queueConditionsOf,
  type QueueFilters,
} from '../../src/posts/queries/posts.filters.js';
import { countStatement, pageStatement } from '../../src/posts/queries/posts.page.js';
import { PostFiles } from '../../src/posts/media/post-files.js';
import { PostRenditions } from '../../src/posts/media/post-renditions.js';
import { ListPosts, ListPostsHandler, NEWEST, ON_CALENDAR } from '../../src/posts/queries/list-posts.js';
import { ListQueue, ListQueueHandler, URGENCY } from '../../src/posts/queries/queue.js';
import { ShownPosts } from '../../src/posts/queries/get-post.js';
import { rowsRead } from '../support/rows-read.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

describe('posts of a brand that has 50 100 of them', () => {
  const [organizationId, brandId] = [randomUUID(), randomUUID()];
  let caller: Caller;
  const which = (filters: PostFilters) => ({
    ...{ caller, scopes: ['posts.read'], conditions: conditionsOf(filters) },
  });
  /** The posts have no files: nothing is asked. */
  const none = undefined as never;
  const shown = new ShownPosts(new PostFiles(none), new PostRenditions(none, none, none));
  const list = (filters: PostFilters = {}) => {
    const request = { caller, filters, after: null, limit: 26, includeTotal: true };
    return new ListPostsHandler(test.database, shown).execute(new ListPosts(request));
  };
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

  beforeAll(async () => {
    const identity = new FakeIdentity();
    const token = identity.user({ organizations: [{ id: organizationId }] });
    const validated = await identity.validate({
      authorization: `Bearer ${token}`,
      service: 'social-publishing',
    });
    if (!validated) throw new Error('The fake refused its own token.');
    caller = Caller.of(validated, 'bearer');
    await test.database.query(
      `INSERT INTO brands.brand_view (id, organization_id, name, timezone, created_at, updated_at, version)
       VALUES ($1, $2, 'B', 'UTC', now(), now(), 1)`,
      [brandId, organizationId],
    );
    await test.database.query(
      `INSERT INTO posts.post_view (id, brand_id, platform, status, approval_state, text_digest, created_at, calendar_at,
         queue_state, queue_rank, queue_at, version, details)
       SELECT gen_random_uuid(), $1, CASE WHEN n % 2505 = 0 THEN 'threads' ELSE 'x' END, status, 'not_required', '', time,
         CASE WHEN status <> 'draft' THEN time END, queue.state, queue.rank, CASE WHEN queue.rank IS NOT NULL THEN time END, 1,
         jsonb_build_object('n', n, 'id', gen_random_uuid(), 'mediaIds', '[]'::jsonb, 'blockers', '[]'::jsonb)
       FROM generate_series(1, 50100) AS n,
         LATERAL (SELECT timestamptz '2026-01-01Z' + n * interval '1 minute' AS time,
           CASE WHEN n <= 7 THEN 'failed' WHEN n <= 100 THEN 'draft' WHEN n <= 30000 THEN 'published' ELSE 'scheduled' END AS status) AS row,
         LATERAL (SELECT CASE status WHEN 'failed' THEN 'failed' WHEN 'scheduled' THEN 'scheduled' END AS state,
           CASE status WHEN 'failed' THEN 1 WHEN 'scheduled' THEN 5 END AS rank) AS queue`,
      [brandId],
    );
    await test.database.query('ANALYZE posts.post_view');
  });

  const numbers = (found: readonly unknown[]) => found.map((post) => (post as { n: number }).n);
  const newest = async (statuses?: string[]) => numbers((await list({ statuses })).posts);
  const down = (from: number, count: number) => Array.from({ length: count }, (_, n) => from - n);

  it('say a total up to 1 000, and that there are more beyond', async () => {
    expect(await list()).toMatchObject({ totalExceeds: 1_000 });
    expect(await list({ statuses: ['published'] })).toMatchObject({ totalExceeds: 1_000 });
    for (const filters of [{}, { statuses: ['published'] }])
      expect(await list(filters)).not.toHaveProperty('total');
    expect(await list({ statuses: ['failed', 'draft'] })).toMatchObject({ total: 100 });
    expect(await list({ platforms: ['threads'] as Platform[] })).toMatchObject({ total: 20 });
  });

  it('are ordered newest first, independent of status', async () => {
    expect(await newest()).toEqual(down(50_100, 26));
    expect(await newest(['failed'])).toEqual(down(7, 7));
    expect(await newest(['failed', 'draft'])).toEqual(down(100, 26));
    expect(await newest(['failed', 'published'])).toEqual(down(30_000, 26));
  });

  it('are ordered by time on the calendar, page by page', async () => {
    const filters = { from: at(40_000), to: at(40_030) };
    const { posts } = await list(filters);
    expect(numbers(posts)).toEqual(down(40_025, 26).reverse());
    const query = pageStatement({
      ...{ ...which(filters), order: ON_CALENDAR, limit: 26 },
      after: [at(40_025), 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    });
    const rest = await test.database.query<{ details: { n: number } }>(query.sql, query.values);
    expect(rest.map(({ details }) => details.n)).toEqual([40_026, 40_027, 40_028, 40_029]);
  });

  it.each<PostFilters>([
    {},
    { statuses: ['published'] },
    { statuses: ['failed'] },
    { statuses: ['failed', 'published'] },
    { platforms: ['threads'] as Platform[] },
    { platforms: ['linkedin'] as Platform[] },
    { statuses: ['failed'], platforms: ['threads'] as Platform[] },
    { from: at(20_000), to: at(45_000) },
    { from: at(20_000), statuses: ['failed'] },
    { to: at(45_000), platforms: ['threads'] as Platform[], statuses: ['scheduled'] },
  ])('are read no further than a page and its count need, for %j', async (filters) => {
    const order = filters.from || filters.to ? ON_CALENDAR : NEWEST;
    const page = pageStatement({ ...which(filters), order, after: null, limit: 26 });
    const { rows } = await rowsRead(test.database, page.sql, page.values, 'post_view');
    expect(rows).toBeLessThanOrEqual(4 * 26);
    const count = countStatement({ ...which(filters), order });
    const counted = await rowsRead(test.database, count.sql, count.values, 'post_view');
    expect(counted.rows).toBeLessThanOrEqual(1_101);
  });

  it.each<[QueueFilters, number[]]>([
    [{}, [...down(7, 7).reverse(), 30_001]],
    [{ states: ['scheduled'] }, [30_001, 30_002]],
    [{ states: ['pending'] }, []],
    [{ platforms: ['threads'] as Platform[] }, [30_060, 32_565]],
    [{ platforms: ['threads'] as Platform[], states: ['failed', 'scheduled'] }, [30_060, 32_565]],
    [{ from: at(40_000), to: at(45_000) }, [40_000, 40_001]],
    [{ from: at(3), to: at(30_002) }, [3, 4, 5, 6, 7, 30_001]],
    [{ from: at(40_000), platforms: ['threads'] as Platform[] }, [40_080, 42_585]],
  ])('are read no further in the queue for %j', async (filters, first) => {
    const request = { caller, scopes: ['posts.read'], filters, after: null, limit: 26 };
    const found = await new ListQueueHandler(test.database, shown).execute(new ListQueue(request));
    expect(numbers(found.map(({ item }) => item)).slice(0, first.length)).toEqual(first);
    const conditions = queueConditionsOf(filters);
    const page = pageStatement({ ...request, conditions, order: URGENCY });
    const { rows } = await rowsRead(test.database, page.sql, page.values, 'post_view');
    expect(rows).toBeLessThanOrEqual(4 * 26);
  });
});

describe('the audit of a brand that has 60 000 events', () => {
  const chain = `brand:${randomUUID()}`;
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const MINUTES = 60_000;
  const page = (order: 'asc' | 'desc', filter: AuditPage['filter']): AuditPage => ({
    ...{ chains: [chain], filter, order, limit: 26 },
  });

  beforeAll(async () => {
    // Every tenth was decided an hour before what is recorded around it.
    await test.database.query(
      `INSERT INTO content_ops.audit_event (entry, chain, event_id, kind, at, subject_type, subject_id, version,
         actor_type, actor_id, channel, correlation_id, details, previous_hash, hash)
       SELECT n, $1, gen_random_uuid(), 'post.edited',
         timestamptz '2026-01-01Z' + (n - CASE WHEN n % 10 = 0 THEN 60 ELSE 0 END) * interval '1 minute',
         'post', gen_random_uuid(), 1, 'user', 'u', 'bearer', 'c', '{}', '', ''
       FROM generate_series(1, $2::int) AS n`,
      [chain, MINUTES],
    );
    await test.database.query('ANALYZE content_ops.audit_event');
  });

  it.each<['asc' | 'desc', AuditPage['filter']]>([
    ['asc', { from: at(59_000) }],
    ['desc', { from: at(59_990) }],
    ['asc', { to: at(30) }],
    ['desc', { to: at(2_000) }],
    ['asc', { from: at(30_000), to: at(30_020) }],
    ['desc', { from: at(30_000), to: at(30_020) }],
    ['asc', { from: at(30_000) }],
    ['desc', { to: at(30_000) }],
    ['asc', { from: at(70_000) }],
    ['desc', { to: at(-70_000) }],
  ])('is read %s around %j only, and misses nothing', async (order, filter) => {
    const { sql, values } = auditQuery(page(order, filter));
    const { rows } = await rowsRead(test.database, { text: sql }, values, 'audit_event');
    expect(rows).toBeLessThan(3_500);
    const found = await new ListAuditEventsHandler(test.database).execute(
      new ListAuditEvents(page(order, filter)),
    );
    const expected = await test.database.query<{ entry: string }>(
      `SELECT entry FROM content_ops.audit_event WHERE chain = $1 AND at >= $2 AND at < $3 ORDER BY entry ${order} LIMIT 26`,
      [chain, filter.from ?? at(-1_000_000), filter.to ?? at(1_000_000)],
    );
    expect(found.map(({ entry }) => entry)).toEqual(expected.map(({ entry }) => entry));
  });
});

describe('brands in reach among 20 000 others', () => {
  const [whole, bound, one, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const reached = {
    text: `SELECT b.id FROM brands.brand_view b WHERE ${isBrandAccessible('b')} ORDER BY b.name`,
  };
  const reach = [
    [whole, bound],
    [null, one],
  ];

  beforeAll(async () => {
    await test.database.query(
      `INSERT INTO brands.brand_view (id, organization_id, name, timezone, created_at, updated_at, version)
       SELECT gen_random_uuid(), gen_random_uuid(), 'B', 'UTC', now(), now(), 1 FROM generate_series(1, 20000)
       UNION ALL SELECT id, organization_id, name, 'UTC', now(), now(), 1 FROM (VALUES
         (gen_random_uuid(), $1::uuid, 'first'), (gen_random_uuid(), $1, 'second'), ($3::uuid, $2::uuid, 'third'),
         ($4::uuid, $2, 'of an organization whose other brand is reached')) AS known (id, organization_id, name)`,
      [whole, bound, one, other],
    );
    await test.database.query('ANALYZE brands.brand_view');
  });

  it('are all of an organization, or those that the caller is bound to', async () => {
    const ids = async (values: readonly unknown[]) =>
      (await test.database.query<{ id: string }>(reached.text, values)).map(({ id }) => id);
    expect(await ids(reach)).toEqual([expect.any(String), expect.any(String), one]);
    expect(await ids([[whole], [one]])).toEqual([]);
    expect(await ids([[], []])).toEqual([]);
  });

  it('are found along their organizations', async () => {
    const { rows, indexes } = await rowsRead(test.database, reached, reach, 'brand_view');
    expect(rows).toBeLessThanOrEqual(4);
    expect(indexes).toEqual(['brand_of_organization']);
  });
});
