import type { ChildProcess } from 'node:child_process';
import { createPosts } from '../../bench/support/content.js';
import { sharedStorage } from '../support/object-storage.js';
import { type ConnectedBrand, PublishingForTests } from '../support/publishing.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const POSTS = 10_000;
const ACCOUNTS = 500;
const WORKERS = 4;
/**
 * Nearly everywhere all posts are stored by then, and the workers wait for the instant. Where they are not, the first go out
 * while the last are still stored: then nothing can be early.
 */
const LEAD_MS = 12_000;

interface Sent {
  readonly at: string;
  readonly id: string;
  readonly text: string;
}

describe('four worker processes', () => {
  let world: PublishingForTests;
  const workers: ChildProcess[] = [];

  beforeEach(async () => {
    world = await PublishingForTests.start({
      // However slow the machine: no call runs out of time, and no account is taken from a worker that waits to run.
      NETWORK_TIMEOUT_MS: '30000',
      PUBLISH_LEASE_MS: '90000',
      // All four together, with the accounts there are, find a free one at once.
      PUBLISH_CONCURRENCY: '64',
      DATABASE_POOL_SIZE: '12',
    });
  });

  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await world.stop();
  });

  const startWorker = async () => {
    const environment = { ...world.environment, ...sharedStorage(), WORKER_MANAGEMENT_PORT: '0' };
    workers.push((await spawnEntry('dist/src/worker.js', environment)).process);
  };

  const connectAccounts = async () => {
    const ways: ConnectedBrand[] = [];
    const connect = async () => {
      while (ways.length < ACCOUNTS) ways.push(await world.connectedBrand());
    };
    await Promise.all(Array.from({ length: 8 }, connect));
    return ways;
  };

  const waiting = async () => {
    const [row] = await world.test.database.query<{ count: number }>(
      'SELECT count(*)::int FROM posts.publication',
    );
    return row?.count;
  };

  it('publish 10 000 posts due at one instant: none early, none twice, none lost', async () => {
    const ways = await connectAccounts();
    await Promise.all(Array.from({ length: WORKERS }, startWorker));
    const dueAt = new Date(Date.now() + LEAD_MS).toISOString();
    const posts = Array.from({ length: POSTS }, (_, index) => {
      const { brandId = '', userId = '' } = ways[index % ways.length] ?? {};
      return { brandId, authorId: userId, scheduledAt: dueAt };
    });
    const ids = await createPosts(world.test.database, posts);
    await waitUntil(async () => (await waiting()) === 0, 240_000);

    const sent = (await world.sandbox.ledger(`?kind=post.created&limit=${POSTS}`)) as Sent[];
    expect(sent.map(({ text }) => text).sort()).toEqual(ids.map((id) => `Post ${id}`).sort());
    const { total } = (await world.sandbox.control('GET', '/ledger')).body as { total: number };
    expect(total).toBe(POSTS);
    expect(sent.filter(({ at }) => at < dueAt)).toEqual([]);

    const stored = await world.test.database.query<{ text: string; id: string }>(
      `SELECT 'Post ' || id AS text, platform_post_id AS id FROM posts.post_view
       WHERE status = 'published' AND published_at >= scheduled_at`,
    );
    const recorded = new Map(stored.map(({ text, id }) => [text, id]));
    expect(sent.filter(({ text, id }) => recorded.get(text) !== id)).toEqual([]);
  }, 420_000);
});
