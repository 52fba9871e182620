import { fileURLToPath } from 'node:url';
import { createPosts } from '../../bench/support/content.js';
import { sharedStorage } from '../support/object-storage.js';
import { PublishingForTests } from '../support/publishing.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const POSTS = 200;
const ACCOUNTS = 20;
const MINUTES = [-2, 2];
/** Long enough for all posts to be stored while the workers wait for the instant, far less than the clocks are off. */
const LEAD_MS = 15_000;
const SHIFTED_CLOCK = fileURLToPath(new URL('../support/shifted-clock.mjs', import.meta.url));

describe('workers whose clocks are four minutes apart, at the same time', () => {
  let world: PublishingForTests;
  let workers: SpawnedEntry[] = [];

  beforeEach(async () => {
    // Neither can take all accounts at once.
    world = await PublishingForTests.start({ PUBLISH_CONCURRENCY: String(ACCOUNTS / 4) });
  });
  afterEach(async () => {
    for (const worker of workers) worker.process.kill('SIGKILL');
    await world.stop();
  });

  const start = (minutes: number) =>
    spawnEntry('dist/src/worker.js', {
      ...world.environment,
      ...sharedStorage(),
      WORKER_MANAGEMENT_PORT: '0',
      NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
      CLOCK_SHIFT_MS: String(minutes * 60_000),
    });
  const publishedBy = async ({ managementUrl }: SpawnedEntry) => {
    const page = await (await fetch(`${managementUrl}/metrics`)).text();
    return Number(/^publish_outcomes_total\{outcome="published"\} (\d+)$/m.exec(page)?.[1] ?? 0);
  };

  it('publish together: nothing early, nothing twice, nothing lost', async () => {
    const ways = await Promise.all(Array.from({ length: ACCOUNTS }, () => world.connectedBrand()));
    workers = await Promise.all(MINUTES.map(start));
    const dueAt = new Date(Date.now() + LEAD_MS).toISOString();
    const posts = Array.from({ length: POSTS }, (_, index) => {
      const { brandId = '', userId = '' } = ways[index % ACCOUNTS] ?? {};
      return { brandId, authorId: userId, scheduledAt: dueAt };
    });
    const ids = await createPosts(world.test.database, posts);
    const stored = await world.test.database.query<{ early: boolean }>('SELECT now() < $1 AS early', [dueAt]);
    await waitUntil(async () => {
      const rows = await world.test.database.query('SELECT FROM posts.publication LIMIT 1');
      return rows.length === 0;
    }, 200_000);

    expect(stored).toEqual([{ early: true }]);
    expect(await world.published()).toEqual(Object.fromEntries(ids.map((id) => [`Post ${id}`, 1])));
    const sent = (await world.sandbox.ledger('?kind=post.created&limit=1000')) as { at: string }[];
    expect(sent.filter(({ at }) => at < dueAt)).toEqual([]);
    const statuses = await world.test.database.query<{ status: string; early: number }>(
      `SELECT status, count(*) FILTER (WHERE published_at < scheduled_at)::int AS early
       FROM posts.post_view GROUP BY status`,
    );
    expect(statuses).toEqual([{ status: 'published', early: 0 }]);
    // Both took part.
    for (const worker of workers) expect(await publishedBy(worker)).toBeGreaterThan(0);
  });
});
