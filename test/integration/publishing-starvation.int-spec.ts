import { randomUUIDv7 } from 'node:crypto';
import { jest } from '@jest/globals';
import { Database } from '#libs/database';
import { Leases } from '#libs/due-work';
import type { RunningService } from '#libs/http';
import { createBrands, createPosts } from '../../bench/support/content.js';
import { AttemptSender } from '../../src/posts/publishing/attempt-sender.js';
import { ReconcileAttempts } from '../../src/posts/publishing/reconcile-attempts.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

/** Each worker looks at the 8 oldest due posts first. */
const TWO_AT_ONCE = { PUBLISH_CONCURRENCY: '2', PUBLISH_LEASE_MS: '60000' };
const HELD_FOR_MS = 3_600_000;

describe('accounts that other workers hold', () => {
  let world: PublishingForTests;
  let end: PromiseWithResolvers<void>;

  beforeEach(async () => {
    end = Promise.withResolvers();
    world = await PublishingForTests.start();
  });
  afterEach(() => {
    end.resolve();
    return world.stop();
  });

  const many = (count: number, { brandId, userId }: ConnectedBrand) => {
    const scheduledAt = new Date(Date.now() + 50).toISOString();
    const posts = Array.from({ length: count }, () => ({ brandId, authorId: userId, scheduledAt }));
    return createPosts(world.test.database, posts);
  };
  const arePublished = async (ids: readonly string[]) =>
    (await Promise.all(ids.map((id) => world.post(id)))).every(({ status }) => status === 'published');
  const makeDueBefore = (ids: readonly string[]) =>
    world.test.database.query(
      `UPDATE posts.publication SET due_at = due_at - interval '1 minute' WHERE post_id = ANY ($1)`,
      [ids],
    );
  const keyOf = ({ account }: ConnectedBrand) => `account:x:${account.id}`;

  /** Calls to the network for these connections do not begin before `end` resolves. */
  const slow = (worker: RunningService, connections: readonly string[]) => {
    const delivery = worker.app.get(AttemptSender, { strict: false });
    const send = delivery.send.bind(delivery);
    jest.spyOn(delivery, 'send').mockImplementation(async (claimed) => {
      if (connections.includes(claimed.connectionId)) await end.promise;
      return send(claimed);
    });
  };

  it('delay no other account: two slow ones, a quick one, two workers of concurrency 2', async () => {
    const [first, second] = [await world.connectedBrand(), await world.connectedBrand()];
    const quick = await world.connectedBrand();
    for (const worker of [await world.worker(TWO_AT_ONCE), await world.worker(TWO_AT_ONCE)])
      slow(worker, [first.connectionId, second.connectionId]);
    const slowPosts = [...(await many(20, first)), ...(await many(20, second))];
    const quickPosts = await many(5, quick);
    await waitUntil(() => arePublished(quickPosts));
    expect(Object.keys(await world.published())).toHaveLength(5);
    end.resolve();
    await waitUntil(async () => (await world.published())[`Post ${slowPosts[0] ?? ''}`] === 1);
  });

  it('delay no account of another organization, however many one organization has', async () => {
    const own = await Promise.all(Array.from({ length: 30 }, () => world.connectedBrand()));
    const brandId = randomUUIDv7();
    await createBrands(world.test.database, [{ id: brandId, organizationId: randomUUIDv7() }]);
    const other = await world.connect(brandId, randomUUIDv7());
    for (const way of own) await makeDueBefore(await many(1, way));
    const worker = await world.worker({ ...TWO_AT_ONCE, PUBLISH_CONCURRENCY: '16' });
    slow(
      worker,
      own.map(({ connectionId }) => connectionId),
    );
    const otherPosts = await many(2, other);
    await waitUntil(() => arePublished(otherPosts));
    expect(Object.keys(await world.published())).toHaveLength(2);
  });

  it('delay no other account while their holder is dead', async () => {
    const dead = await Promise.all(Array.from({ length: 5 }, () => world.connectedBrand()));
    const quick = await world.connectedBrand();
    await new Leases().acquire(world.test.database, dead.map(keyOf), HELD_FOR_MS);
    for (const way of dead) await makeDueBefore(await many(4, way));
    const quickPosts = await many(3, quick);
    await world.worker(TWO_AT_ONCE);
    await waitUntil(() => arePublished(quickPosts));
    expect(Object.keys(await world.published()).sort()).toEqual(quickPosts.map((id) => `Post ${id}`).sort());
  });

  describe('by the thousand', () => {
    const HELD = 1_500;

    /** Brands with an account each that a dead worker holds, and two posts each that are due before all others. */
    const held = async () => {
      const { organizationId } = world;
      const brands = Array.from({ length: HELD }, () => ({ id: randomUUIDv7(), organizationId }));
      await createBrands(world.test.database, brands);
      const ids = brands.map(({ id }) => id);
      await world.test.database.query(
        `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name, scopes,
           pages, groups, state, access_token)
         SELECT gen_random_uuid(), id, gen_random_uuid(), 'x', id::text, 'held', 'held', '{}', '[]', '[]', 'active', 'sealed'
         FROM unnest($1::uuid[]) AS id`,
        [ids],
      );
      await new Leases().acquire(
        world.test.database,
        ids.map((id) => `account:x:${id}`),
        HELD_FOR_MS,
      );
      const scheduledAt = new Date(Date.now() + 50).toISOString();
      const authorId = randomUUIDv7();
      const posts = [...ids, ...ids].map((brandId) => ({ brandId, authorId, scheduledAt }));
      await makeDueBefore(await createPosts(world.test.database, posts));
    };

    /** Rows that the worker's plans were answered with, and how often it asked. */
    const counting = (worker: RunningService) => {
      const database = worker.app.get(Database, { strict: false });
      const query = database.query.bind(database);
      const plans: number[] = [];
      jest.spyOn(database, 'query').mockImplementation(async (sql, values) => {
        const rows = await query(sql, values);
        if (typeof sql === 'object' && sql.name === 'posts_due_for_publishing') plans.push(rows.length);
        return rows;
      });
      return plans;
    };

    it('delay no other account', async () => {
      await held();
      const [quickPost = ''] = await many(1, await world.connectedBrand());
      await world.worker(TWO_AT_ONCE);
      await waitUntil(() => arePublished([quickPost]));
      expect(Object.keys(await world.published())).toEqual([`Post ${quickPost}`]);
    });

    const openAttempts = (ago: string) =>
      world.test.database.query(
        `WITH oldest AS (SELECT DISTINCT ON (brand_id) post_id FROM posts.publication ORDER BY brand_id, post_id)
         UPDATE posts.publication p SET attempt_id = gen_random_uuid(), attempt_connection_id = c.id,
           attempt_started_at = now() - $1::interval
         FROM oldest, integrations.connection c WHERE oldest.post_id = p.post_id AND c.brand_id = p.brand_id`,
        [ago],
      );

    it('are not read one by one while their holder’s attempts are open', async () => {
      await held();
      await openAttempts('0 s');
      const worker = await world.worker(TWO_AT_ONCE);
      const looked = jest.spyOn(worker.app.get(ReconcileAttempts, { strict: false }), 'find');
      const answers = counting(worker);
      const [quickPost = ''] = await many(1, await world.connectedBrand());
      await waitUntil(() => arePublished([quickPost]));
      expect(answers.length).toBeGreaterThan(0);
      expect(Math.max(...answers)).toBeLessThan(10);
      expect(looked).not.toHaveBeenCalled();
    });

    it('delay no takeover of an attempt of a free account', async () => {
      await held();
      await openAttempts('1 hour');
      const { postId } = await world.abandonedAttempt(await world.connectedBrand());
      await world.test.database.query(
        `UPDATE posts.publication SET attempt_started_at = now() - interval '5 minutes' WHERE post_id = $1`,
        [postId],
      );
      await world.worker(TWO_AT_ONCE);
      await waitUntil(async () => (await world.post(postId)).status === 'failed');
      expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
    });
  });
});
