import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { FixedClock } from '#libs/clock/testing';
import type { Platform } from '#libs/content';
import { Database, DatabaseIsUnavailable } from '#libs/database';
import { anEventMetadata } from '#libs/event-store/testing';
import { hold } from '../../src/posts/domain/delivery.js';
import { PublishCandidatesStore } from '../../src/posts/publishing/candidates.store.js';
import { ClaimDecisions } from '../../src/posts/publishing/claim-decisions.js';
import { Quarantine } from '../../src/posts/publishing/quarantine.js';
import { chooseLateness, remove } from '../../src/posts/domain/scheduling.js';
import { waitUntil } from '../support/wait-until.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';

describe('publishing due posts', () => {
  let world: PublishingForTests;

  beforeAll(async () => {
    world = await PublishingForTests.start();
    await world.worker();
  });
  afterAll(() => world.stop());

  const settled = async (postId: string) => {
    await waitUntil(async () => (await world.post(postId)).status !== 'scheduled');
    return world.post(postId);
  };

  it('publishes a post at its time, not before, and stores the id that the network returned', async () => {
    const { brandId, account } = await world.connectedBrand();
    const postId = await world.schedule({ brandId, text: 'On time', inMs: 400 });
    const post = await settled(postId);
    expect(post.status).toBe('published');
    if (post.status !== 'published') return;
    const lateness = Date.parse(post.publishedAt) - Date.parse(post.scheduledAt);
    expect(lateness).toBeGreaterThanOrEqual(0);
    const [effect] = await world.sandbox.ledger('?text=On%20time');
    expect(Date.parse(effect.at)).toBeGreaterThanOrEqual(Date.parse(post.scheduledAt));
    expect(post.platformPostUrl).toBe(
      `${world.sandbox.url}/x-web/${account.username}/status/${post.platformPostId}`,
    );
    expect(await world.history(postId)).toEqual([
      'PostDrafted',
      'PostScheduled',
      'PublishAttemptStarted',
      'PostPublished',
    ]);
  });

  it('prefers the author’s connection, else uses the account of the brand, and never picks one of several', async () => {
    const { brandId, account: others } = await world.connectedBrand();
    const author = '0198c0de-0000-7000-8000-00000000000a';
    const colleagues = await world.schedule({
      brandId,
      authorId: author,
      text: 'Before the author connects',
    });
    await settled(colleagues);
    const own = await world.connect(brandId, author);
    const posts = await Promise.all([
      world.schedule({ brandId, authorId: own.userId, text: 'From the author' }),
      world.schedule({ brandId, text: 'From a colleague' }),
      world.schedule({ brandId, text: 'To that account', target: { accountId: own.account.id } }),
    ]);
    await Promise.all(posts.map((id) => settled(id)));
    const ledger = await world.sandbox.ledger();
    const accountOf = (text: string) => ledger.find((effect) => effect.text === text)?.account.id;
    expect(accountOf('Before the author connects')).toBe(others.id);
    expect([accountOf('From the author'), accountOf('To that account')]).toEqual([
      own.account.id,
      own.account.id,
    ]);
    expect(accountOf('From a colleague')).toBeUndefined();
    expect(await world.failureOf(posts[1] ?? '')).toMatchObject({
      class: 'configuration',
      code: 'account_ambiguous',
    });
  });

  it('publishes by another member’s connection to the same account only', async () => {
    const { brandId, userId, account, connectionId } = await world.connectedBrand();
    const colleague = '0198c0de-0000-7000-8000-00000000000e';
    await world.connect(brandId, colleague);
    const end = `UPDATE integrations.connection SET state = 'reconnect-needed' WHERE id = $1`;
    await world.test.database.query(end, [connectionId]);
    const refused = await world.schedule({ brandId, authorId: userId, text: 'Nobody reaches it' });
    await settled(refused);
    expect(await world.failureOf(refused)).toMatchObject({
      class: 'configuration',
      code: 'account_not_reachable',
    });
    await world.connect(brandId, colleague, account);
    const sent = await world.schedule({ brandId, authorId: userId, text: 'By a colleague' });
    expect((await settled(sent)).status).toBe('published');
    const ledger = await world.sandbox.ledger();
    expect(ledger.find(({ text }) => text === 'By a colleague')?.account.id).toBe(account.id);
  });

  it('fails a post without a connection, and states the action', async () => {
    const postId = await world.schedule({ brandId: await world.brand() });
    await settled(postId);
    expect(await world.failureOf(postId)).toMatchObject({
      class: 'configuration',
      code: 'account_not_connected',
    });
  });

  it('fails posts for networks that cannot be connected yet', async () => {
    const postId = await world.schedule({ brandId: await world.brand(), platform: 'linkedin' as Platform });
    await settled(postId);
    expect(await world.failureOf(postId)).toMatchObject({ class: 'configuration' });
  });

  it('settles hundreds of posts without a connection in one claim', async () => {
    const brandId = await world.brand();
    const authorId = '0198c0de-0000-7000-8000-00000000000b';
    const due = Date.now() + 5_000;
    const ids = await Promise.all(
      Array.from({ length: 300 }, () => world.schedule({ brandId, authorId, inMs: due - Date.now() })),
    );
    await waitUntil(async () => {
      const rows = await world.test.database.query('SELECT FROM posts.publication WHERE brand_id = $1', [
        brandId,
      ]);
      return rows.length === 0;
    });
    expect(await world.failureOf(ids[299] ?? '')).toMatchObject({ code: 'account_not_connected' });
    const transactions = await world.test.database.query(
      `SELECT DISTINCT transaction_id FROM events.event WHERE stream = ANY($1) AND type = 'PostPublishFailed'`,
      [ids],
    );
    expect(transactions.length).toBeLessThan(150);
  });

  it('sends each part of a thread as a reply to the one before it', async () => {
    const { brandId } = await world.connectedBrand();
    const id = '0198c0de-0000-7000-8000-0000000000aa';
    const parts = [1, 2, 3].map((position) =>
      world.schedule({
        brandId,
        text: `Part ${position}`,
        thread: { id, position },
        inMs: 600 - position * 100,
      }),
    );
    const posts = [];
    for (const part of await Promise.all(parts)) posts.push(await settled(part));
    const ledger = await world.sandbox.ledger();
    const effectOf = (text: string) => ledger.find((effect) => effect.text === text);
    expect(posts.map(({ status }) => status)).toEqual(['published', 'published', 'published']);
    const [first, second] = posts as { platformPostId: string }[];
    expect(effectOf('Part 2').inReplyTo).toBe(first?.platformPostId);
    expect(effectOf('Part 3').inReplyTo).toBe(second?.platformPostId);
  });

  it('stops a thread at the part that fails', async () => {
    const { brandId } = await world.connectedBrand();
    const id = '0198c0de-0000-7000-8000-0000000000bb';
    await world.sandbox.fault({ kind: 'forbidden', textContains: 'Middle', times: 1 });
    const thread = (position: number, text: string) =>
      world.schedule({ brandId, text, thread: { id, position }, inMs: 300 });
    const [first, middle, last] = await Promise.all([
      thread(1, 'Beginning'),
      thread(2, 'Middle'),
      thread(3, 'End'),
    ]);
    expect((await settled(first)).status).toBe('published');
    expect((await settled(middle)).status).toBe('failed');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await world.post(last)).status).toBe('scheduled');
    expect(Object.keys(await world.published())).not.toContain('End');
  });

  it('stores the network’s own code of a refusal', async () => {
    const { brandId } = await world.connectedBrand();
    const text = 'The same words twice';
    await settled(await world.schedule({ brandId, text }));
    const again = await world.schedule({ brandId, text });
    await settled(again);
    expect(await world.failureOf(again)).toMatchObject({ class: 'permanent', code: 'duplicate_content' });
    expect((await world.published())[text]).toBe(1);
  });

  describe('when the network refuses this service itself', () => {
    const query = <Row extends object>(sql: string) => world.test.database.query<Row>(sql);
    const attemptsAt = async (ids: readonly string[]) =>
      (await Promise.all(ids.map((id) => world.history(id))))
        .flat()
        .filter((type) => type === 'PublishAttemptStarted').length;
    const refuse = () => world.sandbox.fault({ kind: 'forbidden', reason: 'client-forbidden', times: 1_000 });
    const repair = () => world.sandbox.control('DELETE', '/faults');
    const isHeld = (postId: string) =>
      waitUntil(async () => (await world.history(postId)).includes('PostHeld'));
    afterEach(async () => {
      await repair();
      await query('DELETE FROM integrations.network_outage');
    });

    it('fails no post of any account, probes with one, and sends all of them when it is repaired', async () => {
      const brands = await Promise.all([1, 2, 3, 4].map(() => world.connectedBrand()));
      await refuse();
      const first = await Promise.all(
        brands.slice(0, 2).map(({ brandId }) => world.schedule({ brandId, inMs: 1 })),
      );
      await Promise.all(first.map(isHeld));
      const later = await Promise.all(
        brands.slice(2).map(({ brandId }) => world.schedule({ brandId, inMs: 1 })),
      );
      await Promise.all(later.map(isHeld));
      const failure = { class: 'configuration', code: 'client_forbidden', networkCode: 'client-forbidden' };
      for (const id of [...first, ...later]) {
        const post = await world.post(id);
        expect(post).toMatchObject({ status: 'scheduled', retrying: { failure } });
      }
      expect(await attemptsAt(later)).toBeLessThanOrEqual(1);
      await repair();
      const posts = await Promise.all([...first, ...later].map(settled));
      expect(posts.map(({ status }) => status)).toEqual(posts.map(() => 'published'));
      const counts = await world.published();
      expect([...first, ...later].map((id) => counts[`Post ${id}`])).toEqual([1, 1, 1, 1]);
    });

    it('does not count that time against the late window', async () => {
      await world.stopWorkers();
      await world.worker({ PUBLISH_LATE_WINDOW_MS: '1000' });
      const { brandId } = await world.connectedBrand();
      await refuse();
      const postId = await world.schedule({ brandId, inMs: 1 });
      await isHeld(postId);
      const due = (await world.post(postId)) as { scheduledAt: string };
      await waitUntil(() => Promise.resolve(Date.now() - Date.parse(due.scheduledAt) > 1_500));
      await repair();
      expect((await settled(postId)).status).toBe('published');
      await world.stopWorkers();
      await world.worker();
    });
  });

  describe('when the hold of the network ends early', () => {
    const HOLDS = 'integrations.platform_hold';
    const query = (sql: string, values?: unknown[]) => world.test.database.query(sql, values);
    const set = () =>
      query(
        `INSERT INTO ${HOLDS} (platform, until, reason) VALUES ('x', now() + interval '1 hour', 'usage_capped')`,
      );
    const end = () => query(`DELETE FROM ${HOLDS}`);
    const holdsOf = async (postId: string) =>
      (await world.history(postId)).filter((type) => type === 'PostHeld').length;
    afterEach(async () => {
      await end();
      await world.stopWorkers();
      await world.worker();
    });

    it('publishes what waited for it, once, whichever worker finds it', async () => {
      const brands = [await world.connectedBrand(), await world.connectedBrand()];
      await world.worker();
      await set();
      const ids = await Promise.all(brands.map(({ brandId }) => world.schedule({ brandId, inMs: 1 })));
      await waitUntil(async () => (await Promise.all(ids.map(holdsOf))).every((count) => count === 1));
      await end();
      const posts = await Promise.all(ids.map(settled));
      expect(posts.map(({ status }) => status)).toEqual(['published', 'published']);
      const counts = await world.published();
      expect(ids.map((id) => counts[`Post ${id}`])).toEqual([1, 1]);
    });

    it('is read from the posts that wait for it, not from those that their own attempt put back', async () => {
      await world.stopWorkers();
      const way = await world.connectedBrand();
      const attempted = await world.abandonedAttempt(way);
      const unattempted = await world.schedule({ brandId: way.brandId, inMs: 1 });
      const hour = new Date(Date.now() + 3_600_000).toISOString();
      const put = (postId: string, attemptId: string | null) =>
        world.posts.change(postId, () => hold({ attemptId, until: hour, reason: 'a' }), anEventMetadata());
      await put(attempted.postId, attempted.attemptId);
      await put(unattempted, null);
      const candidates = new PublishCandidatesStore(world.test.database, new Quarantine(new FixedClock()));
      const held = async () =>
        (await candidates.held({ after: null, limit: 500 })).map(({ postId }) => postId);
      expect(await held()).toContain(unattempted);
      expect(await held()).not.toContain(attempted.postId);
    });

    it('publishes a post that a worker holds just after that', async () => {
      const { brandId } = await world.connectedBrand();
      await set();
      await world.stopWorkers();
      const decisions = (await world.worker()).app.get(ClaimDecisions, { strict: false });
      const on = decisions.on.bind(decisions);
      jest.spyOn(decisions, 'on').mockImplementation(async (...request) => {
        const decided = await on(...request);
        // Posts of earlier tests can be due, too.
        if (decided.some(({ from }) => from.state.brandId === brandId)) await end();
        return decided;
      });
      const postId = await world.schedule({ brandId, inMs: 1 });
      expect((await settled(postId)).status).toBe('published');
      expect(await world.history(postId)).toEqual([
        ...['PostDrafted', 'PostScheduled', 'PostHeld', 'PostHeld'],
        ...['PublishAttemptStarted', 'PostPublished'],
      ]);
    });
  });

  it.each([-2, 2])(
    'computes a reset by the database’s clock, with its own %i minutes off',
    async (minutes) => {
      const { brandId } = await world.connectedBrand();
      const text = `Too many at ${minutes}`;
      await world.sandbox.fault({ kind: 'rate-limited', textContains: text, times: 1, resetSeconds: 30 });
      const now = Date.now() + minutes * 60_000;
      const doNotFake = [
        ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
        ...(['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const),
        ...(['performance', 'hrtime'] as const),
      ];
      jest.useFakeTimers({ now, doNotFake });
      try {
        const postId = await world.schedule({ brandId, text });
        await waitUntil(async () => (await world.history(postId)).includes('PostHeld'));
        const [hold] = await world.test.database.query<{ seconds: number }>(
          `SELECT extract(epoch FROM (data->>'until')::timestamptz - at)::float8 AS seconds
         FROM events.event WHERE stream = $1 AND type = 'PostHeld'`,
          [postId],
        );
        expect(hold?.seconds).toBeGreaterThan(0);
        expect(hold?.seconds).toBeLessThanOrEqual(31);
      } finally {
        jest.useRealTimers();
      }
    },
  );

  it('puts a post back until the reset that a rate limit names, without failing it', async () => {
    const { brandId } = await world.connectedBrand();
    await world.sandbox.fault({ kind: 'rate-limited', textContains: 'Too many', times: 1, resetSeconds: 2 });
    const postId = await world.schedule({ brandId, text: 'Too many today' });
    await waitUntil(async () => (await world.history(postId)).includes('PostHeld'));
    const held = await world.post(postId);
    expect(held.status === 'scheduled' && held.held?.reason).toBe('rate_limited');
    const behind = await world.schedule({ brandId, text: 'Behind it', inMs: 50 });
    expect((await settled(postId)).status).toBe('published');
    expect((await settled(behind)).status).toBe('published');
    expect(await world.history(behind)).toContain('PostHeld');
  });

  describe('when a hold that the network states is longer than the late window', () => {
    afterEach(async () => {
      await world.stopWorkers();
      await world.worker();
    });

    it('sends the post after it, unless its author wants it in time or not at all', async () => {
      await world.stopWorkers();
      const [usual, inTime] = [await world.connectedBrand(), await world.connectedBrand()];
      const limit = { kind: 'rate-limited', times: 1, resetSeconds: 4 };
      await world.sandbox.fault({ ...limit, textContains: 'Long wait' });
      await world.sandbox.fault({ ...limit, textContains: 'In time' });
      const waits = await world.schedule({ brandId: usual.brandId, text: 'Long wait', inMs: 1 });
      const fails = await world.schedule({ brandId: inTime.brandId, text: 'In time', inMs: 1 });
      const by = { type: 'user', id: inTime.userId } as const;
      await world.posts.change(fails, () => chooseLateness('fail', by), anEventMetadata());
      await world.worker({ PUBLISH_LATE_WINDOW_MS: '2000' });
      const [post] = await Promise.all([settled(waits), settled(fails)]);
      expect(post.status).toBe('published');
      const failure = { class: 'missed', code: 'hold_ends_too_late', networkCode: 'rate_limited' };
      expect(await world.failureOf(fails)).toMatchObject(failure);
    });
  });

  it('finds a post whose response was lost', async () => {
    const { brandId } = await world.connectedBrand();
    await world.sandbox.fault({ kind: 'drop-after-effect', textContains: 'Lost answer', times: 1 });
    const text = 'Lost answer & <a link> https://example.com/page';
    const post = await settled(await world.schedule({ brandId, text }));
    expect(post.status).toBe('published');
    expect((await world.published())[text]).toBe(1);
  });

  describe('when the database fails during a call to the network', () => {
    const NAME = 'posts_given_to_another';

    const failing = async (error: Error, times: number) => {
      await world.stopWorkers();
      const database = (await world.worker()).app.get(Database);
      const query = database.query.bind(database);
      let failures = 0;
      jest
        .spyOn(database, 'query')
        .mockImplementation((sql, values) =>
          typeof sql === 'object' && sql.name === NAME && failures++ < times
            ? Promise.reject(error)
            : query(sql, values),
        );
      await world.sandbox.fault({ kind: 'drop-after-effect', textContains: error.message, times: 1 });
      const { brandId } = await world.connectedBrand();
      const postId = await world.schedule({ brandId, text: error.message });
      await settled(postId);
      expect((await world.published())[error.message]).toBe(1);
      const attempts = (await world.history(postId)).filter((type) => type === 'PublishAttemptStarted');
      expect(attempts).toHaveLength(1);
      return postId;
    };

    it('waits for it to come back, then takes the evidence', async () => {
      const outage = new DatabaseIsUnavailable(new Error('gone'));
      expect((await world.post(await failing(outage, 3))).status).toBe('published');
    });

    it('leaves the attempt unconfirmed when the database fails for another reason, and never sends again', async () => {
      const postId = await failing(new Error('A mistake of ours'), Infinity);
      expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
      await world.stopWorkers();
      await world.worker();
    });
  });

  it('keeps the response of the network while the database refuses the login', async () => {
    await world.stopWorkers();
    const worker = await world.worker();
    const text = 'Sent before the login was refused';
    const database = worker.app.get(Database, { strict: false });
    const transaction = database.transaction.bind(database);
    let refusals = 0;
    jest.spyOn(database, 'transaction').mockImplementation(async (work) => {
      const isSent = refusals < 8 && (await world.published())[text] === 1;
      if (!isSent) return transaction(work);
      refusals += 1;
      throw Object.assign(new Error('password authentication failed for user "app"'), { code: '28P01' });
    });
    const { brandId } = await world.connectedBrand();
    const postId = await world.schedule({ brandId, text });
    const quarantine = worker.app.get(Quarantine, { strict: false });
    await waitUntil(async () => quarantine.total > 0 || (await world.post(postId)).status !== 'scheduled');
    expect(await world.post(postId)).toMatchObject({ status: 'published' });
    expect(quarantine.total).toBe(0);
    expect(refusals).toBe(8);
    await world.stopWorkers();
    await world.worker();
  });

  it('does not accept an earlier post with the same text as evidence, nor one that was deleted since', async () => {
    const { brandId, userId } = await world.connectedBrand();
    const text = 'Word for word';
    await world.sandbox.control('PUT', '/x/settings', { duplicateWindowSeconds: 0 });
    const first = await world.schedule({ brandId, text });
    await settled(first);
    await world.posts.change(first, () => remove({ type: 'user', id: userId }), anEventMetadata());
    await world.sandbox.fault({ kind: 'drop-before-effect', textContains: text, times: 1 });
    const second = await world.schedule({ brandId, text });
    await settled(second);
    expect(await world.failureOf(second)).toMatchObject({ class: 'unconfirmed' });
    expect((await world.published())[text]).toBe(1);
  });

  it('leaves an attempt without evidence unconfirmed, and never sends it again', async () => {
    const { brandId } = await world.connectedBrand();
    await world.sandbox.fault({ kind: 'drop-before-effect', textContains: 'Nobody knows', times: 1 });
    const postId = await world.schedule({ brandId, text: 'Nobody knows' });
    await settled(postId);
    expect(await world.failureOf(postId)).toMatchObject({
      class: 'unconfirmed',
      code: 'delivery_unconfirmed',
    });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await world.published())['Nobody knows']).toBeUndefined();
    expect((await world.history(postId)).filter((type) => type === 'PublishAttemptStarted')).toHaveLength(1);
  });

  it.each(['server-error-after-effect', 'unreadable-answer', 'cut-answer'])(
    'takes %s for an open question that the network can answer',
    async (kind) => {
      const { brandId } = await world.connectedBrand();
      const text = `Answered with ${kind}`;
      await world.sandbox.fault({ kind, textContains: text, times: 1 });
      expect((await settled(await world.schedule({ brandId, text }))).status).toBe('published');
      expect((await world.published())[text]).toBe(1);
    },
  );

  it.each([
    ['a code with a NUL', 400, '{"type":"https://api.x.com/2/problems/odd\\u0000thing"}', 'permanent'],
    ['a code with half a character', 400, '{"errors":[{"code":"\\ud800"}]}', 'permanent'],
    ['a very long code', 400, `{"errors":[{"code":"${'7'.repeat(100_000)}"}]}`, 'permanent'],
    ['a very long id', 201, `{"data":{"id":"${'7'.repeat(100_000)}"}}`, 'unconfirmed'],
    ['an id with a NUL', 201, '{"data":{"id":"17\\u0000"}}', 'unconfirmed'],
  ])('records the valid parts of a response with %s, and continues', async (odd, status, body, expected) => {
    const { brandId } = await world.connectedBrand();
    await world.sandbox.fault({
      kind: 'answer-instead',
      route: 'POST /2/tweets',
      ...{ status, body, times: 1, textContains: odd },
    });
    const postId = await world.schedule({ brandId, text: `Answered with ${odd}` });
    await settled(postId);
    expect(await world.failureOf(postId)).toMatchObject({ class: expected });
    const next = await world.schedule({ brandId, text: `After ${odd}` });
    expect((await settled(next)).status).toBe('published');
  });

  describe('when the database refuses an outcome', () => {
    /** Has every event of this type of the post refused, with an error of the database's own. */
    const refusing = (postId: string, type: string, sqlstate: string) =>
      world.test.database.query(
        `CREATE OR REPLACE FUNCTION refuse_for_test() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'refused by the test' USING ERRCODE = '${sqlstate}'; END $$;
         CREATE TRIGGER refuse_for_test BEFORE INSERT ON events.event FOR EACH ROW
           WHEN (NEW.stream = '${postId}' AND NEW.type = '${type}') EXECUTE FUNCTION refuse_for_test()`,
      );
    const refusingNoMore = () =>
      world.test.database.query('DROP TRIGGER IF EXISTS refuse_for_test ON events.event');
    afterEach(refusingNoMore);

    it('records that post as unconfirmed, and the others as they are', async () => {
      const [odd, plain] = [await world.connectedBrand(), await world.connectedBrand()];
      const due = Date.now() + 3_000;
      const schedule = (brandId: string, text: string) =>
        world.schedule({ brandId, text, inMs: due - Date.now() });
      const refused = await schedule(odd.brandId, 'Cannot be stored');
      await refusing(refused, 'PostPublished', '22P05');
      const others = await Promise.all([1, 2, 3].map((n) => schedule(plain.brandId, `Can be stored ${n}`)));
      await settled(refused);
      expect(await world.failureOf(refused)).toMatchObject({
        class: 'unconfirmed',
        code: 'delivery_unconfirmed',
      });
      for (const other of others) expect((await settled(other)).status).toBe('published');
      const next = await world.schedule({ brandId: odd.brandId, text: 'The next of that account' });
      expect((await settled(next)).status).toBe('published');
    });

    it('shuts down, and leaves the attempt to a takeover', async () => {
      const { brandId } = await world.connectedBrand();
      await world.stopWorkers();
      const brief = { NETWORK_TIMEOUT_MS: '1500', PUBLISH_LEASE_MS: '4000' };
      const ending = await world.worker(brief);
      const text = 'Not stored before the end';
      const postId = await world.schedule({ brandId, text, inMs: 3_000 });
      await refusing(postId, 'PostPublished', '53100');
      const waits = async () =>
        /^publish_unrecorded_outcome_age_seconds (?!0$)/m.test(
          await (await fetch(`${ending.managementUrl}/metrics`)).text(),
        );
      await waitUntil(waits);
      await world.stopWorkers();
      expect((await world.post(postId)).status).toBe('scheduled');
      await refusingNoMore();
      await world.worker(brief);
      await waitUntil(async () => (await world.post(postId)).status !== 'scheduled', 90_000);
      expect((await world.post(postId)).status).toBe('published');
      expect((await world.published())[text]).toBe(1);
      await world.stopWorkers();
      await world.worker();
    });
  });

  it('waits for a parent that the network does not show yet', async () => {
    const { brandId } = await world.connectedBrand();
    await world.sandbox.fault({
      kind: 'forbidden',
      reason: 'reply-not-visible',
      textContains: 'Too early',
      times: 1,
    });
    expect((await settled(await world.schedule({ brandId, text: 'Too early' }))).status).toBe('published');
  });

  describe('with tokens that the network refuses', () => {
    let asked: string[];
    let connected: ConnectedBrand;
    const api = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`);
      const { connectionId, account } = connected;
      void world.renew(connectionId, account.username).then(() => response.end('{"result":"refreshed"}'));
    });
    beforeAll(async () => {
      await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
      await world.stopWorkers();
      await world.worker({ API_INTERNAL_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}` });
    });
    beforeEach(async () => {
      asked = [];
      connected = await world.connectedBrand();
    });
    afterAll(async () => {
      await world.stopWorkers();
      api.close();
      await world.worker();
    });

    it('has a refused token renewed by the API, and sends the post with the new one', async () => {
      const { brandId, connectionId, account } = connected;
      await world.sandbox.control('POST', `/x/accounts/${account.username}/expire-tokens`, {});
      const post = await settled(await world.schedule({ brandId, text: 'With a fresh token' }));
      expect(post.status).toBe('published');
      const token = world.environment.INTERNAL_SERVICE_TOKEN;
      expect(asked).toEqual([`Bearer ${token} /internal/connections/${connectionId}/refresh`]);
    });

    it('needs a new connection once a renewed token is refused too, and uses the colleague’s of the same account until then', async () => {
      const { brandId, connectionId, userId, account } = connected;

      const fault = { kind: 'unauthorized', route: 'POST /2/tweets', account: account.username, times: 2 };
      await world.sandbox.fault(fault);
      const refused = await settled(await world.schedule({ brandId, authorId: userId }));
      expect(refused.status === 'failed' && refused.failure).toMatchObject({
        class: 'auth',
        code: 'token_refused',
      });
      expect(asked).toHaveLength(1);
      expect(await world.tokens.read([connectionId])).toMatchObject([{ state: 'reconnect-needed' }]);
      expect(await world.history(connectionId)).toEqual(['ReconnectNeeded']);
      const again = await world.sandbox.account(account.username);
      await world.connect(brandId, '0198c0de-0000-7000-8000-00000000000d', again);
      await settled(await world.schedule({ brandId, authorId: userId, text: 'From the colleague’s' }));
      const effects = await world.sandbox.ledger(`?account=${account.id}`);
      expect(effects.map(({ text }) => text)).toContain('From the colleague’s');
      expect(asked).toHaveLength(1);
    });
  });

  it('sends the text that was stored last', async () => {
    const { brandId, userId } = await world.connectedBrand();
    const by = { type: 'user', id: userId } as const;
    const postId = await world.schedule({ brandId, text: 'First words', inMs: 500 });
    const content = { text: 'Last words', title: null, mediaIds: [], link: null, target: {} };
    await world.posts.change(
      postId,
      () => (state) =>
        state.status === 'scheduled'
          ? [{ type: 'PostEdited', data: { postId, brandId, content, changed: ['text'], blockers: [], by } }]
          : [],
      anEventMetadata(),
    );
    await settled(postId);
    const published = await world.published();
    expect(published['Last words']).toBe(1);
    expect(published['First words']).toBeUndefined();
  });
});
