import { randomUUID } from 'node:crypto';
import type { Platform } from '#libs/content';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

const THREADS = 'threads' as Platform;
const ROUTES = {
  create: 'POST /:version/:account/threads',
  publish: 'POST /:version/:account/threads_publish',
};

interface Effect {
  readonly id: string;
  readonly text: string;
  readonly inReplyTo: string | null;
}

/** The queue, two workers and the network; texts are containers, too. */
describe('posts of the queue on Threads', () => {
  let world: PublishingForTests;
  let connected: ConnectedBrand;

  beforeAll(async () => {
    world = await PublishingForTests.start();
    connected = await world.connectedBrand('threads');
    await Promise.all([world.worker(), world.worker()]);
  });
  beforeEach(() => world.sandbox.control('DELETE', '/faults'));
  afterAll(() => world.stop());

  const schedule = (text: string, more: object = {}) =>
    world.schedule({ brandId: connected.brandId, platform: THREADS, text, inMs: 1, ...more });
  const isOver = async (postIds: readonly string[]) => {
    const statuses = await Promise.all(postIds.map(async (id) => (await world.post(id)).status));
    return statuses.every((status) => status === 'published' || status === 'failed');
  };
  const effects = async (contains: string) =>
    (await world.sandbox.ledger(
      `?${new URLSearchParams({ network: 'threads', kind: 'post.created', contains }).toString()}`,
    )) as Effect[];

  it('are published once each, whatever answers are lost', async () => {
    const run = randomUUID();
    for (const kind of ['drop-after-effect', 'server-error-after-effect', 'cut-answer'])
      for (const [route, seed] of [
        [ROUTES.create, 1],
        [ROUTES.publish, 2],
      ])
        await world.sandbox.fault({ kind, route, probability: 0.15, seed });
    const texts = Array.from({ length: 20 }, (_, index) => `${run} ${index}`);
    const postIds = await Promise.all(texts.map((text) => schedule(text)));
    await waitUntil(() => isOver(postIds), 60_000);
    const sent = await effects(run);
    expect(sent.map(({ text }) => text).sort()).toEqual(texts.toSorted());
    const stored = await Promise.all(postIds.map((id) => world.post(id)));
    const ids = stored.map((post) => (post.status === 'published' ? post.platformPostId : post.status));
    expect(ids.sort()).toEqual(sent.map(({ id }) => id).sort());
    const lost = (await world.sandbox.control('GET', '/faults')).body.data as { hits: number }[];
    expect(lost.reduce((sum, { hits }) => sum + hits, 0)).toBeGreaterThan(0);
  });

  it('form a thread in the order of its parts, also when the answer to a part is lost', async () => {
    const id = randomUUID();
    const parts = [1, 2, 3];
    await world.sandbox.fault({ kind: 'drop-after-effect', route: ROUTES.publish, times: 1 });
    const postIds = await Promise.all(
      parts.map((position) => schedule(`${id} ${position}`, { thread: { id, position } })),
    );
    await waitUntil(() => isOver(postIds), 60_000);
    const sent = await effects(id);
    expect(sent.map(({ text }) => text)).toEqual(parts.map((position) => `${id} ${position}`));
    expect(sent.map(({ inReplyTo }) => inReplyTo)).toEqual([null, sent[0]?.id, sent[1]?.id]);
  });

  it('wait for a container without a worker, and are published when it is finished', async () => {
    await world.sandbox.control('PUT', '/threads/settings', { inProgressAnswers: 1 });
    const postId = await schedule(`Slow ${randomUUID()}`);
    await waitUntil(() => isOver([postId]), 60_000);
    await world.sandbox.control('PUT', '/threads/settings', { inProgressAnswers: 0 });
    expect((await world.post(postId)).status).toBe('published');
    const history = await world.history(postId);
    expect(history.filter((type) => type === 'PublishAttemptStarted')).toHaveLength(2);
    expect(history).toContain('PostHeld');
  });
});
