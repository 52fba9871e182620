import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ObjectStorage } from '#libs/object-storage';
import { sharedStorage } from '../support/object-storage.js';
import { aPicture } from '../support/pictures.js';
import { PublishingForTests } from '../support/publishing.js';
import { aStoredFile } from '../support/rendition-worker.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const POSTS = 4;

describe('a worker that is killed while posts wait for their renditions', () => {
  let world: PublishingForTests;
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    world = await PublishingForTests.start();
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await world.stop();
  });

  const start = async () => {
    const environment = { ...world.environment, ...sharedStorage(), WORKER_MANAGEMENT_PORT: '0' };
    const { process: worker } = await spawnEntry('dist/src/worker.js', environment);
    workers.push(worker);
    return worker;
  };
  /** Due at once, with a file that has no rendition. */
  const aPost = async (seed: number) => {
    const { brandId, userId } = await world.connectedBrand();
    const storage = world.service(ObjectStorage);
    const bytes = await aPicture(1_200, 800, { seed });
    const { id } = await aStoredFile(world.test.database, storage, brandId, { bytes });
    const text = `Waiting ${seed}`;
    return world.schedule({ brandId, authorId: userId, text, mediaIds: [id], inMs: 300 });
  };

  it('delays them only: another worker makes the renditions and publishes each post once', async () => {
    const posts: string[] = [];
    for (let seed = 0; seed < POSTS; seed += 1) posts.push(await aPost(seed));
    const first = await start();
    const hasHeld = async () =>
      (await Promise.all(posts.map((id) => world.history(id)))).some((types) => types.includes('PostHeld'));
    await waitUntil(hasHeld, 120_000);
    first.kill('SIGKILL');
    await once(first, 'exit');
    // Its leases of renditions end.
    await world.test.database.query(`UPDATE media.rendition SET due_at = now() WHERE status = 'pending'`);
    await start();
    const arePublished = async () =>
      (await Promise.all(posts.map((id) => world.post(id)))).every(({ status }) => status === 'published');
    await waitUntil(arePublished, 120_000);
    const effects = (await world.sandbox.ledger('?kind=post.created&limit=100')) as {
      text: string;
      media: unknown[];
    }[];
    const sent = effects.map(({ text, media }) => [text, media.length]);
    expect(sent.toSorted()).toEqual(posts.map((_, seed) => [`Waiting ${seed}`, 1]));
    for (const id of posts) {
      const starts = (await world.history(id)).filter((type) => type === 'PublishAttemptStarted');
      expect(starts.length).toBeGreaterThan(0);
    }
  });
});
