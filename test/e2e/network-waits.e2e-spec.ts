import { createHash, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { anEventMetadata } from '#libs/event-store/testing';
import {
  type PreparationKey,
  PreparationsStore,
} from '../../src/integrations/preparations/preparations.store.js';
import { hold, startAttempt } from '../../src/posts/domain/delivery.js';
import type { Scheduled } from '../../src/posts/domain/post.js';
import { fingerprintOf } from '../../src/posts/content/content-fingerprint.js';
import { AttemptIsTakenOver, AttemptJournal } from '../../src/posts/publishing/attempt-journal.js';
import type { Claimed } from '../../src/posts/publishing/attempt.js';
import { eventually } from '../support/eventually.js';
import { FICTIONAL, pictureOf } from '../support/fictional/fictional.provider.js';
import { SIGNATURE } from '../support/fictional/fictional-server.js';
import { FictionalWorld, type Integration } from '../support/fictional/fictional-world.js';

const hashOf = (text: string) => createHash('sha256').update(pictureOf(text)).digest('hex');

describe('a post that takes several steps at its network', () => {
  let world: FictionalWorld;

  beforeAll(async () => {
    world = await FictionalWorld.start();
  });
  afterEach(async () => {
    await world.publishing.stopWorkers();
    world.network.isQuick = false;
    world.network.before.clear();
    world.network.next.clear();
  });
  afterAll(() => world.stop());

  it('waits without an account while the network works, and another worker continues', async () => {
    const { brandId, name } = await world.connected();
    const accountId = `${name}-studio`;
    const text = `Ünïcode picture of ${name}`;
    await world.publishing.worker();
    const postId = await world.aPicture(brandId, text, accountId);
    await world.isHeld(postId);
    const shown = (await world.person('GET', `/api/posts/${postId}`)).body;
    expect(shown).toMatchObject({ status: 'scheduled', failure: null, platformPostId: null });
    expect(Date.parse(shown.heldUntil as string)).not.toBeNaN();
    expect(await world.publishing.history(postId)).toContain('PublishStepRecorded');
    const events = await world.api.test.database.query<{ data: object }>(
      `SELECT data FROM events.event WHERE stream = $1`,
      [postId],
    );
    expect(JSON.stringify(events)).toContain('"networkId":"u-');
    expect(JSON.stringify(events)).not.toContain(SIGNATURE);
    const row = await world.preparationOf(postId);
    expect(row?.step).toBe('status');
    expect(row?.state).not.toContain(SIGNATURE);
    const other = await world.publishing.schedule({
      ...{ brandId, authorId: world.userId, platform: FICTIONAL, text: `Meanwhile ${name}`, inMs: 1 },
      target: { accountId },
    });
    await world.isPublished(other);
    expect(world.postsOf(text)).toEqual([]);

    await world.publishing.stopWorkers();
    world.network.process();
    await world.publishing.worker();
    await world.isPublished(postId);
    const [post, another] = world.postsOf(text);
    expect(another).toBeUndefined();
    expect(post?.hash).toBe(hashOf(text));
    expect(world.network.countOf(`PUT /put/${post?.upload}`)).toBe(1);
    expect(await world.preparationOf(postId)).toBeUndefined();
  });

  it('can be edited during the wait, and is prepared again for its new text', async () => {
    const { brandId, name } = await world.connected();
    const postId = await world.aPicture(brandId, `First words of ${name}`);
    await world.publishing.worker();
    await world.isHeld(postId);
    const text = `Second words of ${name}`;
    expect((await world.person('PUT', `/api/posts/${postId}`, { text })).status).toBe(200);
    world.network.isQuick = true;
    await world.isPublished(postId);
    expect(world.postsOf(`First words of ${name}`)).toEqual([]);
    expect(world.postsOf(text)[0]?.hash).toBe(hashOf(`First words of ${name}`));
  });

  it('takes nothing that was prepared for other content as evidence about what it sent', async () => {
    const { brandId, name } = await world.connected();
    const postId = await world.aPicture(brandId, `With a picture of ${name}`);
    await world.publishing.worker();
    await world.isHeld(postId);
    await world.publishing.stopWorkers();
    const text = `Without a picture of ${name}`;
    expect((await world.person('PUT', `/api/posts/${postId}`, { text, mediaIds: [] })).status).toBe(200);
    world.network.next.set('POST /posts', 'hang up');
    await world.publishing.worker();
    await eventually(async () =>
      expect(await world.publishing.failureOf(postId)).toMatchObject({ class: 'unconfirmed' }),
    );
    expect(world.postsOf(text)).toHaveLength(1);
  });

  it('prepares once more when the network has dropped what was prepared', async () => {
    const { brandId, name } = await world.connected();
    world.network.isQuick = true;
    world.network.next.set('POST /posts', { status: 400, body: { error: 'upload-expired' } });
    const before = world.network.countOf('POST /uploads');
    const postId = await world.aPicture(brandId, `Twice prepared of ${name}`);
    await world.publishing.worker();
    await world.isPublished(postId);
    expect(world.network.countOf('POST /uploads')).toBe(before + 2);
    expect(world.postsOf(`Twice prepared of ${name}`)).toHaveLength(1);
  });

  it('uses no id that the event log cannot hold', async () => {
    const { brandId, name } = await world.connected();
    world.network.isQuick = true;
    const body = { id: 'u-\u0000', address: 'http://127.0.0.1:1/' };
    world.network.next.set('POST /uploads', { status: 201, body });
    const postId = await world.aPicture(brandId, `Odd id of ${name}`);
    await world.publishing.worker();
    await world.isPublished(postId);
    expect(world.postsOf(`Odd id of ${name}`)).toHaveLength(1);
  });

  it('is not prepared more than twice, however many attempts that takes', async () => {
    const { brandId, name } = await world.connected();
    world.network.isQuick = true;
    const expire = () => {
      world.network.next.set('POST /posts', { status: 400, body: { error: 'upload-expired' } });
      world.network.before.set('POST /posts', expire);
      return Promise.resolve();
    };
    world.network.before.set('POST /posts', expire);
    const uploads = world.network.countOf('POST /uploads');
    const postId = await world.aPicture(brandId, `Always expired of ${name}`);
    await world.publishing.worker();
    await eventually(async () =>
      expect(await world.publishing.failureOf(postId)).toMatchObject({ networkCode: 'upload-expired' }),
    );
    expect(world.network.countOf('POST /uploads')).toBe(uploads + 2);
  });

  it('fails with a reason of its own when the network takes too long', async () => {
    const { brandId } = await world.connected();
    const postId = await world.aPicture(brandId, 'Never processed');
    await world.publishing.worker();
    await world.isHeld(postId);
    await world.publishing.stopWorkers();
    await world.api.test.database.query(
      'UPDATE integrations.publish_preparation SET waited_ms = 14400000 WHERE post_id = $1',
      [postId],
    );
    await world.publishing.worker();
    await eventually(async () =>
      expect(await world.publishing.failureOf(postId)).toMatchObject({
        code: 'network_processing_timeout',
        class: 'transient',
      }),
    );
    expect(await world.preparationOf(postId)).toBeUndefined();
  });

  it.each([
    ['deleted', 'DELETE', undefined],
    ['put back to draft', 'PUT', { scheduledAt: null }],
  ] as const)('loses what was prepared when it is %s', async (_how, method, body) => {
    const { brandId } = await world.connected();
    const postId = await world.aPicture(brandId, 'Not to be published');
    await world.publishing.worker();
    await world.isHeld(postId);
    await world.publishing.stopWorkers();
    expect(await world.preparationOf(postId)).toBeDefined();
    expect((await world.person(method, `/api/posts/${postId}`, body)).status).toBeLessThan(300);
    expect(await world.preparationOf(postId)).toBeUndefined();
  });

  it('finds by what was prepared a post whose answer was lost', async () => {
    const { brandId, name } = await world.connected();
    world.network.isQuick = true;
    world.network.next.set('POST /posts', 'hang up');
    const postId = await world.aPicture(brandId, `Lost answer of ${name}`);
    await world.publishing.worker();
    await world.isPublished(postId);
    expect(world.postsOf(`Lost answer of ${name}`)).toHaveLength(1);
  });

  describe('when a worker dies', () => {
    /** As a worker leaves it behind that was killed after the steps that `died` takes. */
    const leftBehind = async (text: string, died: (key: PreparationKey) => Promise<unknown>) => {
      const { brandId, accounts } = await world.connected();
      const postId = await world.aPicture(brandId, text);
      const connectionId = accounts[0]?.id ?? '';
      const attemptId = randomUUID();
      const { content } = await world.publishing.post(postId);
      const attempt = { attemptId, connectionId, fingerprint: fingerprintOf(content) };
      await world.publishing.posts.change(
        postId,
        (now) => startAttempt(attempt, now),
        anEventMetadata({ brandId }),
      );
      await died({ postId, attemptId, connectionId, fingerprint: `${attempt.fingerprint}/` });
      return postId;
    };
    const preparations = () => world.publishing.service(PreparationsStore);

    it('and wakes after another took its attempt over, it records nothing more', async () => {
      const { publishing } = world;
      const postId = await leftBehind('Taken over', () => Promise.resolve());
      const loaded = await publishing.posts.load(postId);
      const attemptId = (loaded.state as Scheduled).attempt?.attemptId ?? '';
      const changed = { ...loaded, id: postId, events: [] };
      const claimed = {
        postId,
        attemptId,
        organizationId: publishing.organizationId,
        changed,
      } as unknown as Claimed;
      const journal = new AttemptJournal(publishing.publisherPosts(), claimed);
      await journal.record({ container: '1' });
      const back = {
        attemptId,
        until: new Date(Date.now() + 3_600_000).toISOString(),
        reason: 'interrupted',
      };
      await publishing.posts.change(postId, () => hold(back), anEventMetadata({}));
      await expect(journal.record({ container: '2' })).rejects.toThrow(AttemptIsTakenOver);
      expect(await publishing.history(postId)).toEqual(
        expect.arrayContaining(['PublishStepRecorded', 'PostHeld']),
      );
      expect((await publishing.history(postId)).at(-1)).toBe('PostHeld');
    });

    it('before the irreversible call, the post is known not to be live and is sent', async () => {
      world.network.isQuick = true;
      const postId = await leftBehind('Died while preparing', (key) => preparations().begin(key, 'reserve'));
      await world.publishing.worker();
      await world.isPublished(postId);
      expect(await world.publishing.history(postId)).toContain('PostHeld');
      expect(world.postsOf('Died while preparing')).toHaveLength(1);
    });

    it('before the irreversible call, the database fails while that is read, and the post is sent', async () => {
      world.network.isQuick = true;
      const text = 'Died while preparing, before a deadlock';
      const postId = await leftBehind(text, (key) => preparations().begin(key, 'reserve'));
      const worker = await world.publishing.worker();
      const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
      jest
        .spyOn(worker.app.get(PreparationsStore, { strict: false }), 'reclaim')
        .mockRejectedValueOnce(deadlock);
      await world.isPublished(postId);
      expect(world.postsOf(text)).toHaveLength(1);
    });

    it('before the irreversible call, and that cannot be read, the attempt stays open for another worker', async () => {
      world.network.isQuick = true;
      const text = 'Died while preparing, before a mistake';
      const postId = await leftBehind(text, (key) => preparations().begin(key, 'reserve'));
      const worker = await world.publishing.worker();
      const takeBack = jest
        .spyOn(worker.app.get(PreparationsStore, { strict: false }), 'reclaim')
        .mockRejectedValue(new Error('A mistake in this release.'));
      await eventually(() => expect(takeBack).toHaveBeenCalled());
      await world.publishing.stopWorkers();
      expect((await world.publishing.history(postId)).at(-1)).toBe('PublishAttemptStarted');
      await world.publishing.worker();
      await world.isPublished(postId);
      expect(world.postsOf(text)).toHaveLength(1);
    });

    it('before a failover that may have lost the beginning of that call, nothing is sent again', async () => {
      world.network.isQuick = true;
      const postId = await leftBehind('Died before a failover', (key) =>
        preparations().begin(key, 'reserve'),
      );
      await world.api.test.database.query(
        `INSERT INTO posts.recovery VALUES (true, 'another/1', now() - interval '30 s') ON CONFLICT (only_row)
         DO UPDATE SET history = excluded.history, seen_at = excluded.seen_at, lost_from = NULL, lost_until = NULL`,
      );
      await world.publishing.worker();
      await eventually(async () => expect((await world.publishing.post(postId)).status).toBe('failed'));
      expect(await world.publishing.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
      expect(world.postsOf('Died before a failover')).toEqual([]);
      await world.api.test.database.query('UPDATE posts.recovery SET lost_from = NULL, lost_until = NULL');
    });

    it('in the irreversible call, nothing is sent again: the network is asked, and a person where it does not know', async () => {
      world.network.isQuick = true;
      const postId = await leftBehind('Died while sending', async (key) => {
        await preparations().begin(key, 'reserve');
        await preparations().startCommit(key);
      });
      await world.publishing.worker();
      await eventually(async () => expect((await world.publishing.post(postId)).status).toBe('failed'));
      expect(await world.publishing.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });
      expect(world.postsOf('Died while sending')).toEqual([]);
    });
  });

  it.each([
    ['uploads', 'PUT /put/'],
    ['is about to publish', 'GET /uploads/'],
  ])('publishes nothing by an account that is disconnected while it %s', async (_when, call) => {
    const { brandId, name, accounts } = await world.connected();
    world.network.isQuick = true;
    const { id } = accounts.find(({ account }) => account.id === `${name}-studio`) as Integration;
    const disconnected = new Promise((resolve) =>
      world.network.before.set(call, () => world.person('DELETE', `/api/integrations/${id}`).then(resolve)),
    );
    const text = `Disconnected before ${call} of ${name}`;
    const postId = await world.aPicture(brandId, text, `${name}-studio`);
    await world.publishing.worker();
    expect(await disconnected).toMatchObject({ status: 204 });
    await eventually(async () => expect((await world.publishing.post(postId)).status).not.toBe('scheduled'));
    expect(world.postsOf(text)).toEqual([]);
    expect((await world.publishing.post(postId)).status).toBe('failed');
    expect((await world.preparationOf(postId))?.state ?? null).toBeNull();
  });

  it('loses what was prepared with the account that is disconnected', async () => {
    const { brandId, accounts } = await world.connected();
    const postId = await world.aPicture(brandId, 'Of an account that goes');
    await world.publishing.worker();
    await world.isHeld(postId);
    for (const { id } of accounts) await world.person('DELETE', `/api/integrations/${id}`);
    expect((await world.preparationOf(postId))?.state ?? null).toBeNull();
  });
});
