import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { type FailureReport, inDoubt } from '#libs/content';
import { anEventMetadata } from '#libs/event-store/testing';
import { recordFailed, resolve } from '../../src/posts/domain/delivery.js';
import { confirmFound } from '../../src/posts/publishing/found-posts.js';
import type { Outcome } from '../../src/posts/publishing/attempt.js';
import { ReconcileAttempts } from '../../src/posts/publishing/reconcile-attempts.js';
import { type AbandonedAttempt, type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

const person = { type: 'user', id: '0198c0de-0000-7000-8000-000000000001' } as const;
const unconfirmed = inDoubt('Unknown.');
const SOON = { NETWORK_TIMEOUT_MS: '400', PUBLISH_LEASE_MS: '1000' };

describe('posts of one account with the same text', () => {
  let world: PublishingForTests;
  let way: ConnectedBrand;
  let text: string;

  beforeAll(async () => {
    world = await PublishingForTests.start();
    await world.sandbox.control('PUT', '/x/settings', { duplicateWindowSeconds: 0 });
  });
  beforeEach(async () => {
    way = await world.connectedBrand();
    text = `The same words ${randomUUID()}`;
  });
  afterEach(() => world.stopWorkers());
  afterAll(() => world.stop());

  const attempt = (of: ConnectedBrand, words = text) => world.abandonedAttempt(of, words);
  const fail = async ({ postId, attemptId }: AbandonedAttempt, failure: FailureReport = unconfirmed) => {
    await world.posts.change(postId, () => recordFailed({ attemptId, failure }), anEventMetadata());
  };
  const publishByHand = async () => {
    const { body } = await world.sandbox.post(way.account, { text });
    return (body as { data: { id: string } }).data.id;
  };
  /** Takes the attempts over that are open by then. */
  const takenOver = async (...postIds: string[]) => {
    await world.worker(SOON);
    await waitUntil(async () => {
      const posts = await Promise.all(postIds.map((id) => world.post(id)));
      return posts.every(({ status }) => status !== 'scheduled');
    });
  };
  const isUnconfirmed = async (postId: string) =>
    expect(await world.failureOf(postId)).toMatchObject({ class: 'unconfirmed' });

  it('are not distinguished where two attempts are open and one is on the network', async () => {
    const [first, second] = [await attempt(way), await attempt(way)];
    await publishByHand();
    await takenOver(first.postId, second.postId);
    await isUnconfirmed(first.postId);
    await isUnconfirmed(second.postId);
  });

  it.each([
    ['ended unconfirmed', () => Promise.resolve()],
    [
      'was settled by a person as not delivered',
      async (postId: string) => {
        const settle = () => resolve({ delivered: false }, person);
        await world.posts.change(postId, settle, anEventMetadata());
      },
    ],
  ])('do not prove each other’s delivery when the other attempt %s', async (_, then) => {
    const first = await attempt(way);
    await fail(first);
    await then(first.postId);
    const second = await attempt(way);
    await publishByHand();
    await takenOver(second.postId);
    await isUnconfirmed(second.postId);
  });

  it('do not prove each other’s delivery over organizations that share the account', async () => {
    const theirs = await world.connect(await world.brand(), randomUUID(), way.account);
    const first = await attempt(theirs);
    await fail(first);
    const second = await attempt(way);
    await publishByHand();
    await takenOver(second.postId);
    await isUnconfirmed(second.postId);
  });

  it('are no evidence where the network shows two and only one was attempted', async () => {
    const { postId } = await attempt(way);
    await publishByHand();
    await publishByHand();
    await takenOver(postId);
    await isUnconfirmed(postId);
  });

  it('are distinguished once the network returned the id of the other', async () => {
    const [first, second] = [await attempt(way), await attempt(way)];
    const [ours, theirs] = [await publishByHand(), await publishByHand()];
    await fail(first);
    const settle = () => resolve({ delivered: true, platformPostId: theirs, platformPostUrl: null }, person);
    await world.posts.change(first.postId, settle, anEventMetadata());
    await takenOver(second.postId);
    expect(await world.post(second.postId)).toMatchObject({ status: 'published', platformPostId: ours });
  });

  it.each([
    ['said something else', () => attempt(way, 'Other words').then(fail)],
    ['was of another account', async () => fail(await attempt(await world.connectedBrand()))],
    [
      'is known to have had no effect',
      async () => fail(await attempt(way), { ...unconfirmed, class: 'permanent' }),
    ],
  ])('are evidence when the other attempt %s', async (_, other) => {
    await other();
    const { postId } = await attempt(way);
    const id = await publishByHand();
    await takenOver(postId);
    expect(await world.post(postId)).toMatchObject({ status: 'published', platformPostId: id });
  });

  it('are no evidence once a person assigned the id to another post before the outcome was stored', async () => {
    const other = await attempt(way, 'Named by mistake');
    await fail(other);
    const { postId } = await attempt(way);
    const id = await publishByHand();
    const reconcile = (await world.worker(SOON)).app.get(ReconcileAttempts, { strict: false });
    const find = reconcile.find.bind(reconcile);
    jest.spyOn(reconcile, 'find').mockImplementation(async (...asked) => {
      const found = await find(...asked);
      expect(found).toMatchObject({ kind: 'found', post: { platformPostId: id } });
      const settle = () => resolve({ delivered: true, platformPostId: id, platformPostUrl: null }, person);
      await world.posts.change(other.postId, settle, anEventMetadata());
      return found;
    });
    await waitUntil(async () => (await world.post(postId)).status !== 'scheduled');
    await isUnconfirmed(postId);
  });

  it('get the id of the post on the network once, where two outcomes of one batch claim it', async () => {
    const [first, second] = [await attempt(way), await attempt(way, 'Other words')];
    const id = await publishByHand();
    const found = {
      kind: 'published',
      isFound: true,
      platformPostId: id,
      platformPostUrl: 'https://x.example/1',
    };
    const batch = [first, second].map((each) => ({ attempt: each, outcome: found as Outcome }));
    const confirmed = await world.test.database.transaction((transaction) =>
      confirmFound(transaction, batch),
    );
    expect(confirmed).toEqual([
      found,
      { kind: 'failed', failure: expect.objectContaining({ class: 'unconfirmed' }) },
    ]);
  });
});
