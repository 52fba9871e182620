import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { anEventMetadata } from '#libs/event-store/testing';
import type { RunningService } from '#libs/http';
import { hold } from '../../src/posts/domain/delivery.js';
import type { ThreadPosition } from '../../src/posts/domain/post.events.js';
import { ClaimDecisions } from '../../src/posts/publishing/claim-decisions.js';
import { PublishRecovery, RecoveryHasChanged, SEE } from '../../src/posts/publishing/recovery.js';
import { ReconcileAttempts } from '../../src/posts/publishing/reconcile-attempts.js';
import { LOST } from '../../src/posts/publishing/rival-attempts.store.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { rowsRead } from '../support/rows-read.js';
import { waitUntil } from '../support/wait-until.js';

describe('a database that was promoted or restored', () => {
  let world: PublishingForTests;

  beforeAll(async () => {
    world = await PublishingForTests.start();
    await world.sandbox.control('PUT', '/x/settings', { duplicateWindowSeconds: 0 });
  });
  afterEach(() => world.stopWorkers());
  afterAll(() => world.stop());

  const query = <Row extends object>(sql: string) => world.test.database.query<Row>(sql);
  /** As if a worker had seen another history half a minute ago. */
  const change = () =>
    query(
      `INSERT INTO posts.recovery VALUES (true, 'another/1', now() - interval '30 s') ON CONFLICT (only_row) DO UPDATE
       SET history = excluded.history, seen_at = excluded.seen_at, lost_from = NULL, lost_until = NULL`,
    );
  const recoveryOf = (worker: RunningService) => worker.app.get(PublishRecovery, { strict: false });
  const settled = async (postId: string) => {
    await waitUntil(async () => (await world.post(postId)).status !== 'scheduled');
    return world.post(postId);
  };

  it('is known by its history: the same at each look, and nothing is lost at the first', async () => {
    await query('TRUNCATE posts.recovery');
    const recovery = recoveryOf(await world.worker());
    const first = await recovery.current();
    expect(first).toEqual({ history: expect.stringMatching(/^\d+\/\d+$/), lost: null });
    expect(await recovery.current()).toEqual(first);
  });

  it('is detected once by workers that start concurrently', async () => {
    const workers = await Promise.all([world.worker(), world.worker(), world.worker()]);
    const recoveries = workers.map(recoveryOf);
    await change();
    const seen = await Promise.all([...recoveries, ...recoveries].map((each) => each.current()));
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
    const { from = '', until: end = '' } = seen[0]?.lost ?? {};
    // Five minutes and the half in which nobody saw the database.
    expect(Math.round((Date.parse(end) - Date.parse(from)) / 1000)).toBe(330);
  });

  it('is noticed between a decision and its claim', async () => {
    const recovery = recoveryOf(await world.worker());
    const before = await recovery.current();
    const { database } = world.test;
    await database.transaction((transaction) => recovery.mustStillBe(before, transaction));
    await change();
    const claim = () => database.transaction((transaction) => recovery.mustStillBe(before, transaction));
    await expect(claim()).rejects.toThrow(RecoveryHasChanged);
    await recovery.current();
    await expect(claim()).rejects.toThrow(RecoveryHasChanged);
  });

  it('is noticed by the claim itself, when it changes after the decision', async () => {
    const { brandId, account } = await world.connectedBrand();
    const worker = await world.worker();
    await recoveryOf(worker).current();
    const decisions = worker.app.get(ClaimDecisions, { strict: false });
    const decide = decisions.on.bind(decisions);
    jest.spyOn(decisions, 'on').mockImplementationOnce(async (...on) => {
      const decided = await decide(...on);
      expect(decided).toHaveLength(1);
      await change();
      return decided;
    });
    const postId = await world.schedule({ brandId });
    await world.sandbox.post(account, { text: `Post ${postId}` });
    expect(await settled(postId)).toMatchObject({ status: 'published' });
    expect((await world.published())[`Post ${postId}`]).toBe(1);
  });

  it('sends no post that was due: a live one is found, one without evidence is unconfirmed', async () => {
    const [live, unproved, alone] = [
      await world.connectedBrand(),
      await world.connectedBrand(),
      await world.brand(),
    ];
    const found = await world.schedule({ brandId: live.brandId, inMs: 1 });
    const lost = await world.schedule({ brandId: unproved.brandId, inMs: 1 });
    const unreachable = await world.schedule({ brandId: alone, inMs: 1 });
    await world.sandbox.post(live.account, { text: `Post ${found}` });
    await change();
    await Promise.all([world.worker(), world.worker()]);
    expect(await settled(found)).toMatchObject({ status: 'published' });
    for (const postId of [lost, unreachable]) {
      await settled(postId);
      expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
    }
    const after = await world.schedule({ brandId: unproved.brandId, inMs: 1 });
    expect(await settled(after)).toMatchObject({ status: 'published' });
    const counts = await world.published();
    expect([found, lost, unreachable, after].map((id) => counts[`Post ${id}`])).toEqual([
      1,
      undefined,
      undefined,
      1,
    ]);
  });

  it('leaves two posts with the same text unconfirmed, where one is live', async () => {
    const { brandId, account } = await world.connectedBrand();
    const text = `The same words ${randomUUID()}`;
    const ids = [
      await world.schedule({ brandId, text, inMs: 1 }),
      await world.schedule({ brandId, text, inMs: 1 }),
    ];
    await world.sandbox.post(account, { text });
    await change();
    await world.worker();
    for (const postId of ids) {
      await settled(postId);
      expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
    }
  });

  describe('with posts that were due long before', () => {
    const HOURS = -2 * 3_600_000;
    let way: ConnectedBrand;
    let thread: ThreadPosition;

    beforeEach(async () => {
      way = await world.connectedBrand();
      thread = { id: randomUUID(), position: 1 };
    });

    /** It is live, and the database lost that. */
    const live = (postId: string, replyTo?: string) => {
      const reply = replyTo && { reply: { in_reply_to_tweet_id: replyTo } };
      return world.sandbox.post(way.account, { text: `Post ${postId}`, ...reply });
    };
    const schedule = (inMs: number, position?: number) =>
      world.schedule({ brandId: way.brandId, inMs, ...(position && { thread: { ...thread, position } }) });
    const holdForAnHour = (postId: string) => {
      const later = (now: string) => new Date(Date.parse(now) + 3_600_000).toISOString();
      return world.posts.change(
        postId,
        (now) => hold({ attemptId: null, until: later(now), reason: 'held_by_network' }),
        anEventMetadata(),
      );
    };
    const isPublishedOnce = async (postId: string) => {
      expect(await settled(postId)).toMatchObject({ status: 'published' });
      expect((await world.published())[`Post ${postId}`]).toBe(1);
    };

    it.each([
      ['ten minutes', -600_000],
      ['two hours', HOURS],
    ])('finds what was sent late, %s after its time', async (_, inMs) => {
      const postId = await schedule(inMs);
      await live(postId);
      await change();
      await world.worker();
      await isPublishedOnce(postId);
      expect(await world.history(postId)).toContain('PublishAttemptStarted');
    });

    it('does not accept an older post with the same text as evidence', async () => {
      const postId = await schedule(HOURS);
      await live(postId);
      await query(
        `INSERT INTO posts.recovery VALUES (true, 'another/1', now() + interval '10 min') ON CONFLICT (only_row) DO UPDATE
         SET history = excluded.history, seen_at = excluded.seen_at, lost_from = NULL, lost_until = NULL`,
      );
      await world.worker();
      await settled(postId);
      expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
    });

    it('finds a part of a thread that waited for the one before it', async () => {
      const first = await schedule(1, 1);
      await world.worker();
      await isPublishedOnce(first);
      await world.stopWorkers();
      const part = await schedule(HOURS, 2);
      const before = await world.post(first);
      await live(part, before.status === 'published' ? before.platformPostId : undefined);
      await change();
      await world.worker();
      await isPublishedOnce(part);
    });

    it('sends the parts of a thread that could not be sent, because a part before them was due only afterwards', async () => {
      const parts = [await schedule(HOURS, 2), await schedule(HOURS, 3)];
      await change();
      await recoveryOf(await world.worker()).current();
      const first = await schedule(1, 1);
      for (const postId of [first, ...parts]) await isPublishedOnce(postId);
    });

    it('sends a post that a hold kept back then', async () => {
      const postId = await schedule(HOURS);
      await holdForAnHour(postId);
      await change();
      await world.worker();
      await isPublishedOnce(postId);
    });

    it('still finds a post whose attempt to look for it was put back', async () => {
      await change();
      const worker = await world.worker();
      await recoveryOf(worker).current();
      world.loseAnswerToClaim(worker);
      const postId = await schedule(HOURS);
      await live(postId);
      await isPublishedOnce(postId);
      expect(await world.history(postId)).toContain('PostHeld');
    });

    it('does not believe that an attempt of before never called the network', async () => {
      const { postId, attemptId } = await world.abandonedAttempt(way);
      await query(
        `INSERT INTO integrations.publish_preparation (post_id, connection_id, fingerprint, attempt_id)
         VALUES ('${postId}', '${way.connectionId}', '', '${attemptId}')`,
      );
      await live(postId);
      await change();
      await world.worker({ NETWORK_TIMEOUT_MS: '400', PUBLISH_LEASE_MS: '1000' });
      await isPublishedOnce(postId);
    });

    it('only searches for them, also after the searching worker stopped', async () => {
      const absentWay = await world.connectedBrand();
      const [found, absent] = [
        await schedule(HOURS),
        await world.schedule({ brandId: absentWay.brandId, inMs: HOURS }),
      ];
      await live(found);
      await change();
      const brief = { NETWORK_TIMEOUT_MS: '400', PUBLISH_LEASE_MS: '1000' };
      const gone = await world.worker(brief);
      const never = new Promise<never>(() => undefined);
      const look = jest
        .spyOn(gone.app.get(ReconcileAttempts, { strict: false }), 'find')
        .mockReturnValue(never);
      await waitUntil(() => look.mock.calls.length === 2);
      await world.stopWorkers();
      const reconcile = (await world.worker(brief)).app.get(ReconcileAttempts, { strict: false });
      const find = reconcile.find.bind(reconcile);
      jest
        .spyOn(reconcile, 'find')
        .mockImplementation((delivery) =>
          delivery.postId === absent ? Promise.resolve({ kind: 'not-delivered' as const }) : find(delivery),
        );
      await isPublishedOnce(found);
      await waitUntil(async () => (await world.history(absent)).at(-1) !== 'PublishAttemptStarted');
      expect(await world.failureOf(absent)).toMatchObject({ class: 'unconfirmed' });
    });

    it('sends none that the network still processes, although it does not publish what is known of it', async () => {
      const postId = await schedule(HOURS);
      await change();
      const worker = await world.worker();
      const reconcile = worker.app.get(ReconcileAttempts, { strict: false });
      const look = jest
        .spyOn(reconcile, 'find')
        .mockResolvedValue({ kind: 'pending' as const, milliseconds: 1 });
      const check = jest.spyOn(reconcile, 'once').mockResolvedValue({ kind: 'not-delivered' as const });
      await waitUntil(async () => /Failed|Held/.test((await world.history(postId)).at(-1) ?? ''));
      expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
      expect(check.mock.calls[0]?.[0].since).toBe(look.mock.calls[0]?.[0].since);
    });

    it('sends a post that was held longer when the response to its claim was lost', async () => {
      const account = (heldUntil: string) =>
        query(
          `UPDATE integrations.connection SET held_until = ${heldUntil} WHERE id = '${way.connectionId}'`,
        );
      await account(`now() + interval '1 hour'`);
      const postId = await schedule(HOURS);
      await holdForAnHour(postId);
      await change();
      const worker = await world.worker();
      await recoveryOf(worker).current();
      world.loseAnswerToClaim(worker);
      await account('NULL');
      await isPublishedOnce(postId);
      const attempts = (await world.history(postId)).filter((type) => type === 'PublishAttemptStarted');
      expect(attempts).toHaveLength(2);
    });

    it('keeps looking for them after a second change', async () => {
      await change();
      const first = await recoveryOf(await world.worker()).current();
      await world.stopWorkers();
      const postId = await schedule(HOURS);
      await live(postId);
      const changeAgain = `UPDATE posts.recovery SET history = 'another/2', seen_at = now() + interval '10 min'`;
      await query(changeAgain);
      const second = await recoveryOf(await world.worker()).current();
      expect(second.lost?.from).toBe(first.lost?.from);
      await isPublishedOnce(postId);
      await query(changeAgain);
      const third = await recoveryOf(await world.worker()).current();
      expect(Date.parse(third.lost?.from ?? '')).toBeGreaterThan(Date.parse(second.lost?.until ?? ''));
    });
  });

  describe('with posts that are due only later', () => {
    let brandId: string;

    beforeAll(async () => {
      ({ brandId } = await world.connectedBrand());
      await query(
        `INSERT INTO posts.publication
           (post_id, brand_id, platform, author_id, target, thread_position, scheduled_at, due_at, version)
         SELECT gen_random_uuid(), '${brandId}', 'x', gen_random_uuid(), '{}', n % 2 + 1, '2100-01-01', '2100-01-01', 1
         FROM generate_series(1, 20000) n`,
      );
      await query('ANALYZE posts.publication');
      await change();
      await recoveryOf(await world.worker()).current();
      await world.stopWorkers();
      await world.schedule({ brandId, inMs: -3_600_000 });
    });
    afterAll(() => query(`DELETE FROM posts.publication WHERE brand_id = '${brandId}'`));

    const looked = () => rowsRead(world.test.database, LOST, [[brandId], randomUUID()], 'publication');

    it('reads by index what is due, and none of them', async () => {
      expect(await looked()).toMatchObject({
        rows: 1,
        indexes: expect.arrayContaining(['publication_due_first', 'publication_due_later']),
      });
      const see = await rowsRead(world.test.database, SEE, ['another/3', 1000], 'publication');
      expect(see.rows).toBe(2);
    });

    it('does not search for them once nothing can be lost', async () => {
      await query('UPDATE posts.recovery SET lost_from = NULL, lost_until = NULL');
      expect((await looked()).rows).toBe(0);
    });
  });

  it('sends them when the operator states that no commit is lost', async () => {
    const { brandId } = await world.connectedBrand();
    const postId = await world.schedule({ brandId, inMs: 1 });
    await change();
    await world.worker({ PUBLISH_RECOVERY_WINDOW_MS: '0' });
    expect(await settled(postId)).toMatchObject({ status: 'published' });
  });

  describe('read by a role without privileges', () => {
    const history = () =>
      world.test.database.transaction(async (transaction) => {
        await transaction.query('SET LOCAL ROLE recovery_reader');
        const [row] = await transaction.query<{ history: string | null }>(
          'SELECT posts.database_history() AS history',
        );
        return row?.history;
      });
    const revoke = (name: string) => query(`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`);

    beforeAll(async () => {
      await query(
        `DO $$ BEGIN CREATE ROLE recovery_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
      );
      await query('GRANT USAGE ON SCHEMA posts TO recovery_reader');
    });
    afterAll(async () => {
      await query('DROP OWNED BY recovery_reader');
    });

    it('has the same history, also where the WAL position is refused', async () => {
      const [owner] = await query<{ history: string }>('SELECT posts.database_history() AS history');
      expect(await history()).toBe(owner?.history);
      await revoke('pg_current_wal_lsn()');
      expect(await history()).toBe(owner?.history);
    });

    it('has none where the administrator revoked it', async () => {
      await revoke('pg_control_system()');
      expect(await history()).toBeNull();
    });
  });

  it('does not stop publishing where its history cannot be read', async () => {
    await query(
      'CREATE OR REPLACE FUNCTION posts.database_history() RETURNS text LANGUAGE sql AS $$ SELECT NULL::text $$',
    );
    const { brandId } = await world.connectedBrand();
    await world.worker();
    const postId = await world.schedule({ brandId, inMs: 1 });
    expect(await settled(postId)).toMatchObject({ status: 'published' });
  });
});
