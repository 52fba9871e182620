import sharp from 'sharp';
import { sha256 } from '../support/media-world.js';
import { LIMIT_MS, NetworkWorld } from '../support/network-world.js';
import { aPicture, anAnimation } from '../support/pictures.js';
import { makeVideo } from '../support/video-files.js';

const MARK = 'Owner of the camera';

/** Uploads through presigned addresses, inspection, renditions, the queue, and the upload to X; nothing is replaced by a double. */
describe('files that are uploaded and published on X', () => {
  let world: NetworkWorld;

  beforeAll(async () => {
    world = await NetworkWorld.start();
    await world.sandbox.control('PUT', '/x/settings', { rateLimits: 'off', mediaProcessingSeconds: 2 });
    await world.connect('x', 'northwind');
  });
  afterAll(() => world.stop());

  /** @returns the id of the post, once it is published */
  const publish = async (text: string, mediaIds: readonly string[]): Promise<string> => {
    const post = await world.published({ platform: 'x', text, mediaIds });
    expect(post).toMatchObject({ status: 'published', failure: null });
    return post.id as string;
  };
  /** The bytes on the timeline, in their order. */
  const shownOn = async (): Promise<Buffer[]> => {
    const page = (await world.sandbox.call('GET', '/x-web/northwind')).body as string;
    const addresses = [...page.matchAll(/src="(\/x-web\/i\/media\/\d+)"/g)].map(
      ([, address = '']) => address,
    );
    return Promise.all(
      addresses.map(async (address) =>
        Buffer.from(await (await fetch(world.sandbox.url + address)).arrayBuffer()),
      ),
    );
  };
  const history = async (postId: string) =>
    (
      await world.api.test.database.query<{ type: string; reason: string | null }>(
        `SELECT type, data->>'reason' AS reason FROM events.event WHERE stream = $1 ORDER BY version`,
        [postId],
      )
    ).map(({ type, reason }) => (reason === null ? type : `${type}: ${reason}`));

  it(
    'an image goes out upright, small enough and without the place where it was taken',
    async () => {
      const original = await sharp(await aPicture(2_200, 1_100, { format: 'jpeg' }))
        .withMetadata({
          orientation: 6,
          exif: { IFD0: { Artist: MARK }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' } },
        })
        .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
        .toBuffer();
      expect(original.length).toBeGreaterThan(5_000_000);
      expect(original.includes(MARK)).toBe(true);
      expect((await sharp(original).metadata()).orientation).toBe(6);
      const mediaId = await world.upload(original, { altText: 'A roof in the rain' });
      await publish('One image', [mediaId]);
      const [post, another] = await world.effects('One image');
      expect(another).toBeUndefined();
      const [shown] = post?.media ?? [];
      expect(shown).toMatchObject({ contentType: 'image/jpeg', altText: 'A roof in the rain' });
      expect(shown?.bytes).toBeLessThanOrEqual(5_000_000);
      expect((shown?.width ?? 0) / (shown?.height ?? 1)).toBeCloseTo(0.5, 2);
      const [bytes = Buffer.alloc(0)] = await shownOn();
      expect(sha256(bytes)).toBe(shown?.sha256);
      expect(shown?.sha256).not.toBe(sha256(original));
      expect(bytes.includes(MARK)).toBe(false);
      expect(bytes.includes('Exif')).toBe(false);
      const { exif, xmp, orientation } = await sharp(bytes).metadata();
      expect([exif, xmp, orientation]).toEqual([undefined, undefined, undefined]);
    },
    2 * LIMIT_MS,
  );

  it(
    'four images go out in the order of the post',
    async () => {
      const ids: string[] = [];
      for (const width of [40, 50, 60, 70])
        ids.push(
          await world.upload(await aPicture(width, 30), {
            contentType: 'image/png',
            fileName: `${width}.png`,
          }),
        );
      await publish('Four images', ids.toReversed());
      const [post] = await world.effects('Four images');
      expect(post?.media?.map(({ width }) => width)).toEqual([70, 60, 50, 40]);
    },
    2 * LIMIT_MS,
  );

  it.each([
    ['a GIF', () => anAnimation(64, 48, 5), 'image/gif', 'animation.gif'],
    ['a video', () => makeVideo({ fastStart: false }), 'video/mp4', 'film.mp4'],
  ])(
    '%s waits until X has processed it, and goes out once',
    async (text, make, contentType, fileName) => {
      const mediaId = await world.upload(await make(), { contentType, fileName });
      const postId = await publish(text, [mediaId]);
      const posts = await world.effects(text);
      expect(posts).toHaveLength(1);
      expect(posts[0]?.media).toEqual([expect.objectContaining({ contentType })]);
      expect(await history(postId)).toContain('PostHeld: network_processing');
    },
    2 * LIMIT_MS,
  );
});
