import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStore, Reactions } from '#libs/event-store';
import { METADATA } from './raw-insert.js';
import type { Bench, BenchDatabase } from './bench.js';
import { Child } from './child.js';
import { type ConnectedAccount, insertConnections } from './connections.js';
import { createBrands, createPosts } from './content.js';
import type { Effect, OutsideAccount, OutsideWorld } from './outside-world.js';

const ACCOUNTS_PER_BRAND = 4;
const organizationId = METADATA.organizationId as string;
const ENCRYPTION_KEYS = `bench:${randomBytes(32).toString('base64')}`;

/** Brands with connected accounts in a database of their own, and workers, each a process of its own, that publish for them. */
export class Publishing {
  private readonly workers: Child[] = [];

  private constructor(
    readonly db: BenchDatabase,
    private readonly outside: OutsideWorld,
    private readonly ways: readonly ConnectedAccount[],
  ) {}

  static async open(
    bench: Bench,
    outside: OutsideWorld,
    accounts: readonly OutsideAccount[],
  ): Promise<Publishing> {
    const db = await bench.database(10);
    const ways = waysOf(accounts);
    const publishing = new Publishing(db, outside, ways);
    const brandIds = [...new Set(ways.map(({ brandId }) => brandId))];
    await createBrands(
      db.database,
      brandIds.map((id) => ({ id, organizationId })),
    );
    await insertConnections(db.database, ENCRYPTION_KEYS, ways);
    return publishing;
  }

  async startWorker(): Promise<void> {
    const worker = await Child.start('src/worker.js', {
      environment: {
        DATABASE_URL: this.db.url,
        ENCRYPTION_KEYS,
        MEDIA_ADDRESS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
        INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
        WORKER_MANAGEMENT_PORT: '0',
        S3_BUCKET: 'not-measured',
        // The sandbox has no limits in this run.
        NETWORK_LIMITS: 'x/*=1000000',
        LOG_LEVEL: 'error',
        ...this.outside.environment,
      },
      ready: 'listens on',
    });
    this.workers.push(worker);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.db.close();
  }

  /** Posts of the accounts in turn, each due as its number says. @returns their ids; a post's text is `Post <id>`. */
  async schedule(count: number, dueAt: (index: number) => Date): Promise<string[]> {
    const posts = Array.from({ length: count }, (_, index) => {
      const { brandId, userId } = this.ways[index % this.ways.length] as ConnectedAccount;
      return { brandId, authorId: userId, scheduledAt: dueAt(index).toISOString() };
    });
    return createPosts(this.db.database, posts);
  }

  /** Resolves when the reactions have seen everything. */
  async caughtUp(): Promise<void> {
    const reactions = new Reactions(this.db.database, new EventStore(this.db.database));
    while ((await reactions.status()).some(({ lagEvents }) => lagEvents > 0)) await sleep(100);
  }

  /** Unsettled posts that were due until then. Uses indexes, because it runs repeatedly during the measurement. */
  async unsettled(dueAt: Date): Promise<number> {
    const [row] = await this.db.database.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM posts.publication WHERE attempt_id IS NULL AND due_at <= $1)::int
         + (SELECT count(*) FROM posts.publication WHERE attempt_id IS NOT NULL)::int AS count`,
      [dueAt],
    );
    return row?.count ?? 0;
  }

  /** How many of what the network accepted is not stored as published under the id it gave. */
  async unrecorded(effects: readonly Effect[]): Promise<number> {
    const [row] = await this.db.database.query<{ count: number }>(
      `SELECT count(*)::int FROM unnest($1::text[], $2::text[]) AS sent (id, text)
       WHERE NOT EXISTS (SELECT FROM posts.post_view v
         WHERE v.id = substr(sent.text, 6)::uuid AND v.status = 'published' AND v.platform_post_id = sent.id)`,
      [effects.map(({ id }) => id), effects.map(({ text }) => text)],
    );
    return row?.count ?? 0;
  }
}

function waysOf(accounts: readonly OutsideAccount[]): ConnectedAccount[] {
  let brandId = '';
  return accounts.map((account, index) => {
    if (index % ACCOUNTS_PER_BRAND === 0) brandId = randomUUIDv7();
    return { brandId, userId: randomUUIDv7(), connectionId: randomUUIDv7(), platform: 'x', account };
  });
}
