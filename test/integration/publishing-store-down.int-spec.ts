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

  it('is put back, not failed, and nothing is published', async () => {
    const { brandId, userId } = await world.connectedBrand();
    const mediaId = await world.sendableFile(brandId, { bytes: await aPicture(40, 30) });
    await own.stop();
    const postId = await world.schedule({ brandId, authorId: userId, text: 'Later', mediaIds: [mediaId] });
    await world.worker();
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
  });
});
