import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { inDoubt } from '#libs/content';
import { Database } from '#libs/database';
import { anEventMetadata } from '#libs/event-store/testing';
import type { RunningService } from '#libs/http';
import { recordFailed, resolve, startAttempt } from '../../src/posts/domain/delivery.js';
import { evolve } from '../../src/posts/domain/evolve.js';
import type { Post } from '../../src/posts/domain/post.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

/** A claim of this worker looks at 64 due posts first. */
const CONCURRENCY = 16;
const BLOCKED = 100;

describe('parts of threads whose predecessor is never published', () => {
  let world: PublishingForTests;
  let worker: RunningService;
  let way: ConnectedBrand;

  beforeAll(async () => {
    world = await PublishingForTests.start();
    way = await world.connectedBrand();
    const waiting = Array.from({ length: BLOCKED }, () =>
      world.schedule({ brandId: way.brandId, thread: { id: randomUUID(), position: 2 }, inMs: 1 }),
    );
    await Promise.all(waiting);
    await world.test.database.query("UPDATE posts.publication SET due_at = due_at - interval '2 hours'");
    worker = await world.worker({ PUBLISH_CONCURRENCY: String(CONCURRENCY) });
  });
  afterAll(() => world.stop());

  const publishes = async (postId: string) =>
    waitUntil(async () => (await world.post(postId)).status === 'published');

  it('do not make an idle worker read all due posts', async () => {
    const looks: unknown[][] = [];
    const atAll: number[] = [];
    const database = worker.app.get(Database);
    const query = database.query.bind(database);
    const spy = jest.spyOn(database, 'query').mockImplementation((sql, values = []) => {
      if (typeof sql === 'object' && sql.name.startsWith('posts_')) {
        looks.push([sql.name, ...values]);
        if (sql.name === 'posts_due_for_publishing' && values[2] === null) atAll.push(performance.now());
      }
      return query(sql, values);
    });
    const asked = (statement: string) => looks.filter(([name]) => name === statement);
    await waitUntil(() => asked('posts_next_due').length > 20);
    spy.mockRestore();
    // One statement, then asleep until the next.
    const due = asked('posts_due_for_publishing');
    expect(Math.abs(due.length - asked('posts_next_due').length)).toBeLessThanOrEqual(1);
    expect(due.filter(([, , posts]) => posts !== CONCURRENCY * 4)).toEqual([]);
    // Parts that have waited for hours are not among what each of them looks at.
    for (const [at, time] of atAll.slice(1).entries()) expect(time - (atAll[at] ?? 0)).toBeGreaterThan(1_000);
    expect([...asked('posts_due_like'), ...asked('posts_late_for_publishing')]).toEqual([]);
  });

  it('delay no other post', async () => {
    const postId = await world.schedule({ brandId: way.brandId, inMs: 1 });
    await publishes(postId);
    const thread = { id: randomUUID(), position: 1 };
    const part = await world.schedule({ brandId: way.brandId, thread: { ...thread, position: 2 }, inMs: 1 });
    await publishes(await world.schedule({ brandId: way.brandId, thread, inMs: 1 }));
    await publishes(part);
  });

  it('are published once their predecessor is, independent of their own time', async () => {
    const thread = { id: randomUUID(), position: 1 };
    const parts = await Promise.all(
      [2, 3, 4].map((position) =>
        world.schedule({ brandId: way.brandId, thread: { ...thread, position }, inMs: 1 }),
      ),
    );
    await world.test.database.query(
      `UPDATE posts.publication SET due_at = due_at - interval '1 year' WHERE post_id = ANY ($1)`,
      [parts],
    );
    await publishes(await world.schedule({ brandId: way.brandId, thread, inMs: 1 }));
    for (const part of parts) await publishes(part);
  });

  it('are published, also late, once a person resolves their predecessor as published', async () => {
    const SEVEN_HOURS_AGO = new Date(Date.now() - 7 * 3_600_000).toISOString();
    const { brandId, connectionId } = way;
    const thread = { id: randomUUID(), position: 1 };
    const first = await world.schedule({ brandId, thread, inMs: 3_600_000 });
    const second = await world.schedule({ brandId, thread: { ...thread, position: 2 }, inMs: 3_600_000 });
    for (const postId of [first, second])
      await world.rewriteLast(
        postId,
        `at = '${SEVEN_HOURS_AGO}', data = jsonb_set(data, '{scheduledAt}', '"${SEVEN_HOURS_AGO}"')`,
      );
    const attemptId = randomUUID();
    const decide = (now: string) => (post: Post) => {
      const started = startAttempt({ attemptId, connectionId, fingerprint: '' }, now)(post);
      const attempted = started.reduce((state, event) => evolve(state, event, now), post);
      return [...started, ...recordFailed({ attemptId, failure: inDoubt('Unknown.') })(attempted)];
    };
    await world.posts.change(first, decide, anEventMetadata());
    await world.rewriteLast(first, `at = '${SEVEN_HOURS_AGO}'`);
    const live = { delivered: true, platformPostId: '17', platformPostUrl: null } as const;
    const person = { type: 'user', id: randomUUID() } as const;
    await world.posts.change(first, () => resolve(live, person), anEventMetadata());
    expect(await world.post(first)).toMatchObject({ status: 'published', publishedAt: SEVEN_HOURS_AGO });
    await world.test.database.query('UPDATE posts.publication SET due_at = $1 WHERE post_id = $2', [
      SEVEN_HOURS_AGO,
      second,
    ]);
    await waitUntil(async () => (await world.history(second)).includes('PublishAttemptStarted'));
    expect((await world.post(second)).status).toBe('scheduled');
  });
});
