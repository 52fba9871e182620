import { jest } from '@jest/globals';
import { inDoubt } from '#libs/content';
import { DatabaseIsUnavailable } from '#libs/database';
import { Leases } from '#libs/due-work';
import { anEventMetadata } from '#libs/event-store/testing';
import { Projections, StreamHasMoved } from '#libs/event-store';
import { DeliveryPace } from '../../src/integrations/commands/delivery-pace.js';
import { recordFailed } from '../../src/posts/domain/delivery.js';
import { PublishOutcomes } from '../../src/posts/publishing/outcomes.js';
import { ReconcileAttempts, type Search } from '../../src/posts/publishing/reconcile-attempts.js';
import { reschedule } from '../../src/posts/domain/scheduling.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

const person = { type: 'user', id: '0198c0de-0000-7000-8000-000000000001' } as const;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `work` for each item, so many at a time. */
async function each<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const run = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return results;
}

/** As a client does that is told somebody else was faster. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StreamHasMoved)) throw error;
    }
  }
}

describe('publishing under concurrency', () => {
  let world: PublishingForTests;

  beforeEach(async () => {
    world = await PublishingForTests.start();
  });
  afterEach(() => world.stop());

  const brands = (count: number): Promise<ConnectedBrand[]> =>
    each(Array.from({ length: count }), 16, () => world.connectedBrand());
  const waiting = async () => {
    const [row] = await world.test.database.query<{ count: number }>(
      'SELECT count(*)::int FROM posts.publication',
    );
    return row?.count ?? 0;
  };

  /** As if they had been scheduled for then, with the default late window of six hours. */
  const makeDueAgo = (ids: readonly string[], ago: string) =>
    world.test.database.transaction(async (transaction) => {
      await transaction.query(`SELECT set_config('events.maintenance', 'on', true)`);
      await transaction.query(
        `UPDATE events.event SET data = jsonb_set(data, '{scheduledAt}',
           to_jsonb(to_char((now() - $2::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
         WHERE stream = ANY ($1) AND type = 'PostScheduled'`,
        [ids, ago],
      );
      await transaction.query(
        'UPDATE posts.publication SET due_at = now() - $2::interval WHERE post_id = ANY ($1)',
        [ids, ago],
      );
    });

  it('keeps one due row with the last time after 1 000 moves of ten posts over 16 connections', async () => {
    const { brandId } = await world.connectedBrand();
    const ids = await each(Array.from({ length: 10 }), 10, () =>
      world.schedule({ brandId, inMs: 3_600_000 }),
    );
    const moves = Array.from({ length: 1_000 }, (_, index) => ids[index % ids.length] ?? '');
    await each(moves, 16, (postId) => {
      const ahead = 3_600_000 + Math.floor(Math.random() * 1e6);
      const decide = (now: string) =>
        reschedule(new Date(Date.parse(now) + ahead).toISOString(), person, now);
      return patiently(() => world.posts.change(postId, decide, anEventMetadata()));
    });
    const rows = await world.test.database.query<{ post_id: string; due_at: Date }>(
      'SELECT post_id, due_at FROM posts.publication',
    );
    expect(rows.map(({ post_id }) => post_id).sort()).toEqual(ids.toSorted());
    for (const { post_id, due_at } of rows) {
      const post = await world.post(post_id);
      expect(post.status === 'scheduled' && post.scheduledAt).toBe(due_at.toISOString());
      expect(await world.history(post_id)).toHaveLength(102);
    }
  });

  it('leaves neither a due row nor an event behind when the command is rolled back', async () => {
    const { brandId } = await world.connectedBrand();
    let inside = 0;
    const attempt = world.database.transaction(async (transaction) => {
      await world.schedule({ brandId });
      const rows = await transaction.query('SELECT post_id FROM posts.publication');
      inside = rows.length;
      throw new Error('changed my mind');
    });
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(inside).toBe(1);
    expect(await waiting()).toBe(0);
    const events = await world.test.database.query(
      `SELECT type FROM events.event WHERE stream_type = 'post'`,
    );
    expect(events).toEqual([]);
  });

  it('uses the database’s clock, not the worker’s', async () => {
    const real = Date.now();
    const doNotFake = [
      ...([
        'setTimeout',
        'setInterval',
        'setImmediate',
        'clearTimeout',
        'clearInterval',
        'clearImmediate',
      ] as const),
      ...(['nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const),
    ];
    for (const minutes of [-2, 2]) {
      jest.useFakeTimers({ now: real + minutes * 60_000, doNotFake });
      try {
        await world.worker();
        const { brandId } = await world.connectedBrand();
        const postId = await world.schedule({ brandId, inMs: 2_500 });
        await pause(400);
        expect((await world.post(postId)).status).toBe('scheduled');
        await waitUntil(async () => (await world.post(postId)).status === 'published');
        await world.stopWorkers();
      } finally {
        jest.useRealTimers();
      }
    }
  });

  it('does not delay other accounts while one responds slowly', async () => {
    const [slow, quick] = await brands(2);
    await world.sandbox.fault({
      kind: 'delay-before-effect',
      account: slow?.account.username,
      delayMs: 1_500,
    });
    for (let index = 0; index < 30; index++)
      await world.schedule({ brandId: slow?.brandId ?? '', inMs: 100 });
    await pause(150);
    await world.worker({ NETWORK_TIMEOUT_MS: '5000', PUBLISH_LEASE_MS: '12000', PUBLISH_CONCURRENCY: '2' });
    await pause(300);
    const ids = await each(Array.from({ length: 10 }), 1, () =>
      world.schedule({ brandId: quick?.brandId ?? '', inMs: 50 }),
    );
    await waitUntil(async () => {
      const posts = await Promise.all(ids.map((id) => world.post(id)));
      return posts.every(({ status }) => status === 'published');
    });
    // Had the quick account to wait for the slow one, all thirty would be on the network first.
    const published = Object.keys(await world.published());
    expect(published.filter((text) => !ids.includes(text.replace('Post ', ''))).length).toBeLessThan(10);
  });

  it('sends one post of an account at a time', async () => {
    const { brandId, account } = await world.connectedBrand();
    await world.sandbox.fault({ kind: 'delay-before-effect', account: account.username, delayMs: 100 });
    await each(Array.from({ length: 6 }), 6, () => world.schedule({ brandId, inMs: 200 }));
    await Promise.all([world.worker(), world.worker()]);
    await waitUntil(async () => (await waiting()) === 0);
    const effects = (await world.sandbox.ledger()) as { at: string }[];
    const times = effects.map(({ at }) => Date.parse(at));
    expect(times).toHaveLength(6);
    times.slice(1).forEach((time, index) => expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(95));
  });

  it('stopped for seven hours: publishes what the six hours allow, fails the rest as missed, loses none', async () => {
    const ways = await brands(20);
    const schedule = (count: number) =>
      each(
        Array.from({ length: count }, (_, index) => index),
        16,
        (index) => world.schedule({ brandId: ways[index % 20]?.brandId ?? '', inMs: 3_600_000 }),
      );
    const [tooLate, inTime] = [await schedule(200), await schedule(20)];
    await makeDueAgo(tooLate, '6 hours 1 minute');
    await makeDueAgo(tooLate.slice(0, 100), '7 hours');
    await makeDueAgo(inTime, '5 hours 50 minutes');
    await world.worker();
    await waitUntil(async () => (await waiting()) === 0);
    for (const id of tooLate) expect(await world.failureOf(id)).toMatchObject({ class: 'missed' });
    expect(await world.published()).toEqual(Object.fromEntries(inTime.map((id) => [`Post ${id}`, 1])));
  });

  it('sends neither outdated text nor moved posts while posts are edited and moved', async () => {
    await world.worker();
    const ways = await brands(40);
    const due = Date.now() + 3_000;
    const ids = await each(ways, 16, ({ brandId }) => world.schedule({ brandId, inMs: due - Date.now() }));
    const edited = new Map<string, string>();
    const moved = new Set<string>();
    await pause(due - 300 - Date.now());
    await each(ids, 40, async (postId, index = ids.indexOf(postId)) => {
      await pause(Math.random() * 500);
      if (index % 2 === 0) {
        const decide = (now: string) =>
          reschedule(new Date(Date.parse(now) + 3_600_000).toISOString(), person, now);
        await world.posts.change(postId, decide, anEventMetadata()).then(
          () => moved.add(postId),
          () => undefined,
        );
        return;
      }
      const text = `Edited ${postId}`;
      await world.posts
        .change(
          postId,
          () => (post) => {
            if (post.status !== 'scheduled' || post.attempt) throw new Error('too late');
            const content = { ...post.content, text };
            const data = {
              postId,
              brandId: post.brandId,
              content,
              changed: ['text' as const],
              blockers: [],
              by: person,
            };
            return [{ type: 'PostEdited', data }];
          },
          anEventMetadata(),
        )
        .then(
          () => edited.set(postId, text),
          () => undefined,
        );
    });
    await waitUntil(async () => (await waiting()) === moved.size);
    const counts = await world.published();
    for (const id of ids) {
      const wanted = edited.get(id) ?? `Post ${id}`;
      expect(counts[wanted] ?? 0).toBe(moved.has(id) ? 0 : 1);
      if (edited.has(id)) expect(counts[`Post ${id}`]).toBeUndefined();
    }
    expect(moved.size + edited.size).toBeGreaterThan(0);
  });

  it('rebuilds due rows from the log, byte for byte', async () => {
    const ways = await brands(3);
    for (const [index, { brandId }] of ways.entries())
      await world.schedule({ brandId, inMs: index * 1e6 + 300 });
    const worker = await world.worker();
    await waitUntil(async () => (await waiting()) === 2);
    const rows = () => world.test.database.query('SELECT * FROM posts.publication ORDER BY post_id');
    const before = await rows();
    await world.test.database.query('TRUNCATE posts.publication');
    await worker.app.get(Projections, { strict: false }).rebuild('posts');
    expect(await rows()).toEqual(before);
  });

  describe('attempts of a stopped worker', () => {
    const unheld = { key: 'unheld', fence: '0' };
    const refused = { code: 'refused', networkCode: null, message: 'It was not.', nextStep: 'Look.' };
    const abandoned = (of: ConnectedBrand) => world.abandonedAttempt(of);

    it('are settled by what the network shows, or named, and never sent again', async () => {
      const [sent, unsent] = [await world.connectedBrand(), await world.connectedBrand()];
      const [first, second] = [await abandoned(sent), await abandoned(unsent)];
      await world.sandbox.post(sent.account, { text: `Post ${first.postId}` });
      await world.worker({ NETWORK_TIMEOUT_MS: '400', PUBLISH_LEASE_MS: '1000' });
      await waitUntil(async () => (await waiting()) === 0);
      expect((await world.post(first.postId)).status).toBe('published');
      expect(await world.failureOf(second.postId)).toMatchObject({ class: 'unconfirmed' });
      const counts = await world.published();
      expect(counts[`Post ${first.postId}`]).toBe(1);
      expect(counts[`Post ${second.postId}`]).toBeUndefined();
    });

    it('do not wait for an attempt of the same account that this release cannot read', async () => {
      const way = await world.connectedBrand();
      const unreadable = await abandoned(way);
      await world.rewriteLast(unreadable.postId, `type = 'PostTold'`);
      const { postId } = await abandoned(way);
      await world.worker({ NETWORK_TIMEOUT_MS: '400', PUBLISH_LEASE_MS: '1000' });
      await waitUntil(async () => (await world.post(postId)).status !== 'scheduled');
      expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
    });

    it('are left unchanged while a running worker holds the lease of their account', async () => {
      const way = await world.connectedBrand();
      const { postId } = await abandoned(way);
      await world.test.database.query(
        `INSERT INTO due_work.lease (key, owner, until, fence)
         VALUES ($1, gen_random_uuid(), now() + interval '1 hour', nextval('due_work.fence'))`,
        [`account:x:${way.account.id}`],
      );
      await world.worker({ NETWORK_TIMEOUT_MS: '100', PUBLISH_LEASE_MS: '1000' });
      await pause(2_500);
      expect((await world.post(postId)).status).toBe('scheduled');
    });

    it('are settled once when two outcomes of one attempt are stored together', async () => {
      const { postId, attemptId } = await abandoned(await world.connectedBrand());
      const worker = await world.worker({ NETWORK_TIMEOUT_MS: '4000', PUBLISH_LEASE_MS: '60000' });
      const changed = { ...(await world.posts.load(postId)), id: postId, events: [] };
      const attempt = {
        postId,
        attemptId,
        lease: unheld,
        organizationId: world.organizationId,
        changed,
      };
      const outcomes = worker.app.get(PublishOutcomes, { strict: false });
      await Promise.all([
        outcomes.record(attempt, { kind: 'failed', failure: inDoubt('Unknown.') }),
        outcomes.record(attempt, {
          kind: 'published',
          platformPostId: '7',
          platformPostUrl: 'https://x.com/7',
        }),
      ]);
      expect(await world.post(postId)).toMatchObject({ status: 'published', platformPostId: '7' });
    });

    it.each([
      ['was never sent', { kind: 'held', until: '2026-01-15T10:00:00.000Z', reason: 'sender_paused' }],
      ['was refused', { kind: 'failed', failure: { ...refused, class: 'permanent' } }],
    ] as const)('are no longer unconfirmed once their worker knows that the post %s', async (_, late) => {
      const { postId, attemptId } = await abandoned(await world.connectedBrand());
      const worker = await world.worker({ NETWORK_TIMEOUT_MS: '4000', PUBLISH_LEASE_MS: '60000' });
      const changed = { ...(await world.posts.load(postId)), id: postId, events: [] };
      const { organizationId } = world;
      const attempt = { postId, attemptId, lease: unheld, organizationId, changed };
      const outcomes = worker.app.get(PublishOutcomes, { strict: false });
      await outcomes.record(attempt, { kind: 'failed', failure: { ...refused, class: 'unconfirmed' } });
      const another = crypto.randomUUID();
      const state = { ...changed.state, attempt: { attemptId: another } } as typeof changed.state;
      await outcomes.record({ ...attempt, attemptId: another, changed: { ...changed, state } }, late);
      expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
      await outcomes.record(attempt, late);
      expect(await world.failureOf(postId)).toMatchObject({ class: 'permanent', code: 'not_delivered' });
    });

    it('occupy no slot of due posts while they are looked for, and shutdown waits for them', async () => {
      const lost = await each(await brands(2), 2, abandoned);
      const { brandId } = await world.connectedBrand();
      const brief = { NETWORK_TIMEOUT_MS: '1500', PUBLISH_LEASE_MS: '4000', PUBLISH_CONCURRENCY: '2' };
      const worker = await world.worker(brief);
      const looked = Promise.withResolvers<Search>();
      const looks = jest.spyOn(worker.app.get(ReconcileAttempts, { strict: false }), 'find');
      looks.mockReturnValue(looked.promise);
      await waitUntil(() => looks.mock.calls.length === 2);

      const ids = await each([1, 2, 3], 3, () => world.schedule({ brandId, inMs: 30 }));
      await waitUntil(async () => (await waiting()) === 2);
      expect(Object.keys(await world.published()).sort()).toEqual(ids.map((id) => `Post ${id}`).sort());

      const ended = world.stopWorkers();
      looked.resolve({ kind: 'unknown' });
      await ended;
      for (const { postId } of lost)
        expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
    });

    it('are not sent by the lease of the takeover when their own worker resumes', async () => {
      const { brandId, account } = await world.connectedBrand();
      const worker = await world.worker({ NETWORK_TIMEOUT_MS: '1500', PUBLISH_LEASE_MS: '4000' });
      const goesOn = Promise.withResolvers<void>();
      const looked = Promise.withResolvers<Search>();
      const waits = jest.spyOn(worker.app.get(DeliveryPace, { strict: false }), 'wait');
      waits.mockReturnValueOnce(goesOn.promise);
      const looks = jest.spyOn(worker.app.get(ReconcileAttempts, { strict: false }), 'find');
      looks.mockReturnValueOnce(looked.promise);
      const away = jest.spyOn(worker.app.get(Leases, { strict: false }), 'renew');
      away.mockRejectedValue(new DatabaseIsUnavailable(new Error('gone')));
      const fenceOf = async () => {
        const key = `account:x:${account.id}`;
        const [lease] = await world.test.database.query<{ fence: string }>(
          'SELECT fence FROM due_work.lease WHERE key = $1',
          [key],
        );
        return lease?.fence;
      };

      await world.sandbox.fault({ kind: 'forbidden', reason: 'reply-not-visible', times: 1 });
      const postId = await world.schedule({ brandId, inMs: 30 });
      await waitUntil(() => waits.mock.calls.length > 0);
      const first = await fenceOf();
      await waitUntil(() => looks.mock.calls.length > 0);
      away.mockRestore();
      const second = await fenceOf();
      expect(second).not.toBe(first);

      goesOn.resolve();
      await waitUntil(async () => (await world.history(postId)).length > 3);
      expect(await world.history(postId)).toContain('PostHeld');
      expect(await world.published()).toEqual({});
      expect(await fenceOf()).toBe(second);

      looked.resolve({ kind: 'unknown' });
      await waitUntil(async () => (await world.post(postId)).status === 'published');
      expect(await world.published()).toEqual({ [`Post ${postId}`]: 1 });
    });

    it('are settled as published by a response that their worker receives after the takeover', async () => {
      const { brandId, connectionId } = await world.connectedBrand();
      await world.sandbox.fault({ kind: 'delay-after-effect', delayMs: 4_000, times: 1 });
      const worker = await world.worker({ NETWORK_TIMEOUT_MS: '10000', PUBLISH_LEASE_MS: '24000' });
      const postId = await world.schedule({ brandId, inMs: 30 });
      await waitUntil(async () => (await world.history(postId)).includes('PublishAttemptStarted'));
      const post = await world.post(postId);
      const attemptId = post.status === 'scheduled' ? (post.attempt?.attemptId ?? '') : '';
      expect(connectionId).toBeDefined();
      await world.posts.change(
        postId,
        () => recordFailed({ attemptId, failure: inDoubt('Unknown.') }),
        anEventMetadata(),
      );
      await waitUntil(async () => (await world.post(postId)).status === 'published');
      expect(await world.history(postId)).toContain('DeliveryResolved');
      await worker.close();
    });
  });
});
