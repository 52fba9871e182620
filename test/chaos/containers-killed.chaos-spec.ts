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
const THREADS = 'threads' as Platform;
/** The irreversible call. */
const PUBLISH = 'POST /:version/:account/threads_publish';

interface Unfinished {
  readonly attempt_check_at: Date | null;
  readonly committing: boolean | null;
}

interface Sent {
  readonly id: string;
  readonly text: string;
}

describe('a worker that is killed while it publishes containers', () => {
  let world: PublishingForTests;
  let worker: ChildProcess | undefined;

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
    worker?.kill('SIGKILL');
    await world.stop();
  });

  const start = async () => {
    const environment = { ...world.environment, ...sharedStorage(), WORKER_MANAGEMENT_PORT: '0' };
    worker = (await spawnEntry('dist/src/worker.js', environment)).process;
  };
  const kill = () => worker?.kill('SIGKILL');
  const effects = async (kind = 'post.created') =>
    (await world.sandbox.ledger(`?network=threads&kind=${kind}&limit=10000`)) as Sent[];
  /** Posts that are neither published nor failed, with what decides when a worker acts on them next. */
  const unfinished = () =>
    world.test.database.query<Unfinished>(
      `SELECT p.*, prep.step, prep.committing, prep.updated_at AS prepared_at,
         ARRAY(SELECT type FROM events.event WHERE stream = p.post_id ORDER BY version) AS history
       FROM posts.publication p LEFT JOIN integrations.publish_preparation prep USING (post_id)`,
    );
  /**
   * Moves posts 16 minutes into the past whose network has the container and not the post: a call that was not answered may arrive
   * for 15 minutes, so they are sent again only then.
   */
  const sixteenMinutesPass = () =>
    world.test.database.transaction(async (transaction) => {
      await transaction.query(`SELECT set_config('events.maintenance', 'on', true)`);
      await transaction.query(
        `WITH waiting AS (
           UPDATE posts.publication SET attempt_check_at = attempt_check_at - $1::interval
           WHERE attempt_check_at > now() RETURNING post_id
         ), prepared AS (
           UPDATE integrations.publish_preparation SET updated_at = updated_at - $1::interval
           WHERE post_id IN (SELECT post_id FROM waiting)
         )
         UPDATE events.event SET at = at - $1::interval, data = data || CASE WHEN data ? 'checkAt' THEN jsonb_build_object('checkAt',
           to_char((data->>'checkAt')::timestamptz AT TIME ZONE 'UTC' - $1::interval, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ELSE '{}' END
         WHERE stream IN (SELECT post_id FROM waiting)`,
        ['16 minutes'],
      );
    });
  const allAreOver = async () => {
    const isOver = async () => {
      await sixteenMinutesPass();
      return (await unfinished()).length === 0;
    };
    try {
      await waitUntil(isOver, 400_000);
    } catch (error) {
      throw new Error(`Unfinished posts: ${JSON.stringify(await unfinished(), null, 2)}`, { cause: error });
    }
  };

  it('leaves each post published once, because its container tells what became of it', async () => {
    const brands = await Promise.all(Array.from({ length: ACCOUNTS }, () => world.connectedBrand('threads')));
    const postIds = await Promise.all(
      Array.from({ length: POSTS }, (_, index) => {
        const brandId = brands[index % ACCOUNTS]?.brandId ?? '';
        return world.schedule({ brandId, platform: THREADS, inMs: 500 });
      }),
    );
    // The worker is killed between the effect and its answer; sometimes between the stored begin of the call and the effect.
    await world.sandbox.fault({ kind: 'delay-after-effect', delayMs: 200, route: PUBLISH });
    await start();
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = (await effects()).length;
      await waitUntil(async () => (await effects()).length > before + 2, 120_000);
      await pause(Math.random() * 150);
      kill();
      await start();
    }
    await allAreOver();

    const sent = Map.groupBy(await effects(), ({ text }) => text);
    expect([...sent.values()].filter((posts) => posts.length > 1)).toEqual([]);
    const loaded = await world.posts.loadMany(postIds);
    for (const postId of postIds) {
      const post = loaded.get(postId)?.state;
      const [onNetwork] = sent.get(`Post ${postId}`) ?? [];
      // Killed before it stored the begin of the first step: nothing tells whether there was a call.
      if (post?.status === 'failed')
        expect([post.failure.class, onNetwork]).toEqual(['unconfirmed', undefined]);
      else expect(post).toMatchObject({ status: 'published', platformPostId: onNetwork?.id });
    }
  }, 800_000);

  it('leaves a post whose call did not arrive closed until it no longer can, then publishes its container', async () => {
    const { brandId } = await world.connectedBrand('threads');
    // The worker is killed during the delay, before the effect.
    await world.sandbox.fault({ kind: 'delay-before-effect', delayMs: 3_000, route: PUBLISH, times: 1 });
    await world.sandbox.fault({ kind: 'drop-before-effect', route: PUBLISH, times: 1 });
    const postId = await world.schedule({ brandId, platform: THREADS, inMs: 1 });
    await start();
    await waitUntil(async () => (await unfinished()).some(({ committing }) => committing === true));
    kill();
    await start();
    await waitUntil(async () => (await unfinished()).some((post) => post.attempt_check_at !== null));
    expect([await effects(), await effects('container.created')]).toEqual([[], [expect.anything()]]);
    await allAreOver();

    const [onNetwork, ...others] = await effects();
    expect(others).toEqual([]);
    expect(await world.post(postId)).toMatchObject({ status: 'published', platformPostId: onNetwork?.id });
    expect(await effects('container.created')).toHaveLength(1);
    expect((await world.history(postId)).slice(-3)).toEqual([
      'PostHeld',
      'PublishAttemptStarted',
      'PostPublished',
    ]);
  }, 800_000);
});
