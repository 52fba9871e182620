import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '#libs/content';
import { sharedStorage } from '../support/object-storage.js';
import { PublishingForTests } from '../support/publishing.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const POSTS = 60;
const ACCOUNTS = 12;
const KILLS = 2;

interface Sent {
  readonly id: string;
  readonly text: string;
}

describe('a worker that is killed while it publishes containers', () => {
  let world: PublishingForTests;
  let worker: ChildProcess;

  beforeEach(async () => {
    world = await PublishingForTests.start({
      PUBLISH_LEASE_MS: '9000',
      // A call that exceeds it on a busy machine leaves its post unconfirmed without any kill.
      NETWORK_TIMEOUT_MS: '4000',
      PUBLISH_RETRY_WAIT_MS: '100',
      PUBLISH_CONCURRENCY: '8',
    });
  });
  afterEach(async () => {
    worker.kill('SIGKILL');
    await world.stop();
  });

  const start = async () => {
    const environment = { ...world.environment, ...sharedStorage(), WORKER_MANAGEMENT_PORT: '0' };
    worker = (await spawnEntry('dist/src/worker.js', environment)).process;
  };
  const effects = async () =>
    (await world.sandbox.ledger('?network=threads&kind=post.created&limit=10000')) as Sent[];

  it('leaves each post published once, because its container tells what became of it', async () => {
    const brands = await Promise.all(Array.from({ length: ACCOUNTS }, () => world.connectedBrand('threads')));
    const postIds = await Promise.all(
      Array.from({ length: POSTS }, (_, index) => {
        const brandId = brands[index % ACCOUNTS]?.brandId ?? '';
        return world.schedule({ brandId, platform: 'threads' as Platform, inMs: 500 });
      }),
    );
    // The worker is killed between the effect and its answer.
    const route = 'POST /:version/:account/threads_publish';
    await world.sandbox.fault({ kind: 'delay-after-effect', delayMs: 200, route });
    await start();
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = (await effects()).length;
      await waitUntil(async () => (await effects()).length > before + 2, 120_000);
      await pause(Math.random() * 150);
      worker.kill('SIGKILL');
      await start();
    }
    const isOver = async () => {
      const loaded = await world.posts.loadMany(postIds);
      return [...loaded.values()].every(({ state }) => ['published', 'failed'].includes(state.status));
    };
    await waitUntil(isOver, 400_000);

    const sent = Map.groupBy(await effects(), ({ text }) => text);
    expect([...sent.values()].filter((posts) => posts.length > 1)).toEqual([]);
    const loaded = await world.posts.loadMany(postIds);
    for (const postId of postIds) {
      const post = loaded.get(postId)?.state;
      const [onNetwork] = sent.get(`Post ${postId}`) ?? [];
      // Killed right before the call: it is unknown yet whether it was made.
      if (post?.status === 'failed')
        expect([post.failure.class, onNetwork]).toEqual(['unconfirmed', undefined]);
      else expect(post).toMatchObject({ status: 'published', platformPostId: onNetwork?.id });
    }
  }, 800_000);
});
