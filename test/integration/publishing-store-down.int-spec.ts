import { eventually } from '../support/eventually.js';
import { OwnStorage } from '../support/object-storage.js';
import { aPicture } from '../support/pictures.js';
import { PublishingForTests } from '../support/publishing.js';

describe('a post with files while the object store is down', () => {
  let own: OwnStorage;
  let world: PublishingForTests;

  beforeAll(async () => {
    own = await OwnStorage.start();
    world = await PublishingForTests.start({ ...own.environment, S3_TIMEOUT_MS: '500' });
  });
  afterAll(async () => {
    await world.stop();
    await own.remove();
  });

  const uploaded = async (kind: string) => (await world.sandbox.ledger(`?kind=media.${kind}`)).length;

  /** As if its minute had passed. */
  const endHold = async (postId: string) => {
    const until = new Date().toISOString();
    await world.rewriteLast(postId, `data = data || '{"until": "${until}"}'`);
    await world.test.database.query(
      'UPDATE posts.publication SET due_at = $2, held_until = $2 WHERE post_id = $1',
      [postId, until],
    );
  };

  it('is put back in the middle of an upload, and is continued and published once when the store is back', async () => {
    const { brandId, userId } = await world.connectedBrand();
    // More than one segment.
    const mediaId = await world.sendableFile(brandId, { bytes: await aPicture(1_200, 1_200) });
    // Time to stop the store between two segments.
    const route = 'POST /2/media/upload/:id/append';
    await world.sandbox.fault({ kind: 'delay-after-effect', delayMs: 1_000, route, times: 1 });
    const postId = await world.schedule({ brandId, authorId: userId, text: 'Later', mediaIds: [mediaId] });
    await world.worker();
    await eventually(async () => expect(await uploaded('appended')).toBe(1));
    await own.stop();
    await eventually(async () => expect(await world.history(postId)).toContain('PostHeld'));
    const [held] = await world.test.database.query<{ reason: string; until: string }>(
      `SELECT data->>'reason' AS reason, data->>'until' AS until FROM events.event
       WHERE stream = $1 AND type = 'PostHeld'`,
      [postId],
    );
    expect(held?.reason).toBe('media_unreadable');
    expect(Date.parse(held?.until ?? '')).toBeGreaterThan(Date.now() + 30_000);
    expect((await world.post(postId)).status).toBe('scheduled');
    expect(await world.published()).toEqual({});

    await world.stopWorkers();
    own = await OwnStorage.start({}, own.folder);
    await endHold(postId);
    await world.worker(own.environment);
    await eventually(async () => expect((await world.post(postId)).status).toBe('published'));
    expect(await world.published()).toEqual({ Later: 1 });
    expect([await uploaded('initialized'), await uploaded('appended')]).toEqual([1, 2]);
  });
});
