import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { sharedStorage } from '../support/object-storage.js';
import { PublishingForTests } from '../support/publishing.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const POSTS = 2_000;
/** Per worker: the posts that a killed one can leave unconfirmed. */
const CONCURRENCY = 8;
const ACCOUNTS = 80;
/** Posts fall due over this long, while workers come and go. */
const SPREAD_MS = 12_000;
const LEASE_MS = 7_000;
/** A call that exceeds it on a busy machine leaves its post unconfirmed without any kill. */
const CALL_TIMEOUT_MS = 3_000;
/** A frozen worker resumes long after others took its accounts over. */
const FROZEN_MS = LEASE_MS + CALL_TIMEOUT_MS + 1_000;

const between = (least: number, most: number) => least + Math.random() * (most - least);

interface Sent {
  readonly id: string;
  readonly text: string;
}

describe('workers that are killed or frozen at random moments', () => {
  let world: PublishingForTests;
  const workers = new Set<ChildProcess>();

  beforeEach(async () => {
    world = await PublishingForTests.start({
      PUBLISH_LEASE_MS: String(LEASE_MS),
      NETWORK_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
      PUBLISH_RETRY_WAIT_MS: '100',
      PUBLISH_CONCURRENCY: String(CONCURRENCY),
      DATABASE_POOL_SIZE: '12',
    });
  });

  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await world.stop();
  });

  const start = async () => {
    const environment = { ...world.environment, ...sharedStorage(), WORKER_MANAGEMENT_PORT: '0' };
    const { process: worker } = await spawnEntry('dist/src/worker.js', environment);
    workers.add(worker);
    return worker;
  };

  /** kill -9, and a new worker in its place. */
  const kill = async (worker: ChildProcess) => {
    worker.kill('SIGKILL');
    workers.delete(worker);
    return start();
  };

  const freeze = async (worker: ChildProcess) => {
    worker.kill('SIGSTOP');
    await pause(FROZEN_MS);
    worker.kill('SIGCONT');
    return worker;
  };

  /** Applies `fault` at random moments, twice at least and until `over`. @returns how often */
  const repeat = async (fault: (worker: ChildProcess) => Promise<ChildProcess>, over: () => boolean) => {
    let times = 0;
    for (let worker = await start(); times < 2 || !over(); times += 1) {
      await pause(between(150, 1_200));
      worker = await fault(worker);
    }
    return times;
  };

  const schedule = async (): Promise<string[]> => {
    const brands = await Promise.all(Array.from({ length: ACCOUNTS }, () => world.connectedBrand()));
    const begun = performance.now();
    const lead = 8_000;
    const ids: string[] = [];
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let index = writer; index < POSTS; index += 16) {
        const due = lead + (index / POSTS) * SPREAD_MS - (performance.now() - begun);
        const brandId = brands[index % ACCOUNTS]?.brandId ?? '';
        ids.push(await world.schedule({ brandId, inMs: Math.max(due, 100) }));
      }
    });
    await Promise.all(writers);
    return ids;
  };

  const count = async (table: string) => {
    const [row] = await world.test.database.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM ${table}`,
    );
    return row?.rows;
  };

  const unaudited = async () => {
    const [row] = await world.test.database.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM events.event e
       WHERE NOT EXISTS (SELECT FROM content_ops.audit_event a WHERE a.event_id = e.id)`,
    );
    return row?.rows;
  };

  it('lose no post and send none twice, and every uncertain delivery is marked as unconfirmed', async () => {
    const ids = await schedule();
    // A killed worker can leave posts on the network whose responses it did not receive.
    await world.sandbox.fault({ kind: 'delay-after-effect', delayMs: 150 });
    const end = performance.now() + SPREAD_MS + 6_000;
    const over = () => performance.now() > end;
    const [killed, killedToo, frozen] = await Promise.all([
      repeat(kill, over),
      repeat(kill, over),
      repeat(freeze, over),
    ]);
    await waitUntil(async () => {
      const [row] = await world.test.database.query<{ open: number }>(
        'SELECT count(*)::int AS open FROM posts.publication',
      );
      return row?.open === 0;
    }, 300_000);

    const effects = (await world.sandbox.ledger('?kind=post.created&limit=10000')) as Sent[];
    const onNetwork = Map.groupBy(effects, ({ text }) => text);
    const loaded = await world.posts.loadMany(ids);
    const posts = ids.flatMap((id) => {
      const post = loaded.get(id)?.state;
      return post ? [{ id, post }] : [];
    });
    expect(posts).toHaveLength(POSTS);
    const sent = (id: string) => onNetwork.get(`Post ${id}`) ?? [];

    expect(ids.filter((id) => sent(id).length > 1)).toEqual([]);
    const published = posts.filter(({ post }) => post.status === 'published');
    const wrong = published.filter(
      ({ id, post }) => post.status === 'published' && sent(id)[0]?.id !== post.platformPostId,
    );
    expect(wrong).toEqual([]);
    const rest = posts.filter(({ post }) => post.status !== 'published');
    // Unconfirmed, or settled as not delivered by the worker that resumed late, and then not on the network.
    const isNamed = ({ id, post }: (typeof posts)[number]) =>
      post.status === 'failed' &&
      (post.failure.class === 'unconfirmed' ||
        (post.failure.code === 'not_delivered' && sent(id).length === 0));
    expect(rest.filter((each) => !isNamed(each))).toEqual([]);
    // No two posts have the same text, so each post on the network is evidence for one of ours: none may stay unconfirmed.
    expect(rest.filter(({ id }) => sent(id).length > 0)).toEqual([]);

    expect(killed + killedToo).toBeGreaterThanOrEqual(4);
    expect(frozen).toBeGreaterThanOrEqual(2);
    // A killed or frozen worker affects only the posts that it was sending.
    expect(rest.length).toBeLessThanOrEqual((killed + killedToo + frozen) * CONCURRENCY);

    // The same workers ran the reactions: each event is in the audit exactly once.
    await waitUntil(async () => (await unaudited()) === 0, 120_000);
    expect(await count('content_ops.audit_event')).toBe(await count('events.event'));
  }, 600_000);
});
