import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { BusinessApi } from '../support/business-api.js';
import { MediaWorld, sha256 } from '../support/media-world.js';
import { sharedStorage } from '../support/object-storage.js';
import { aPicture, anAnimation } from '../support/pictures.js';
import { SandboxForTests } from '../support/sandbox.js';
import type { SpawnedEntry } from '../support/spawn-entry.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { makeVideo } from '../support/video-files.js';
import { waitUntil } from '../support/wait-until.js';

interface MediaOfEffect {
  readonly sha256: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly altText?: string;
}

const MARK = 'Owner of the camera';
/** A minute: two processes, inspection and renditions on a busy machine. */
const LIMIT_MS = 60_000;

/** Uploads through presigned addresses, inspection, renditions, the queue, and the upload to X; nothing is replaced by a double. */
describe('files that are uploaded and published on X', () => {
  let sandbox: SandboxForTests;
  let api: BusinessApi;
  let worker: SpawnedEntry;
  let world: MediaWorld;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start();
    await sandbox.control('PUT', '/x/settings', { rateLimits: 'off', mediaProcessingSeconds: 2 });
    const shared = {
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      PUBLIC_URL: 'http://127.0.0.1:3000',
      X_API_URL: `${sandbox.url}/x`,
      X_LEGACY_API_URL: `${sandbox.url}/x-legacy`,
      X_AUTHORIZE_URL: `${sandbox.url}/x-web/i/oauth2/authorize`,
      ...sharedStorage(),
    };
    api = await BusinessApi.start({
      ...shared,
      X_CLIENT_ID: 'sandbox-client',
      X_CLIENT_SECRET: 'sandbox-secret',
    });
    const { managementUrl, url } = api.service;
    worker = await spawnEntry('dist/src/worker.js', {
      ...{ ...api.test.environment, ...shared, WORKER_MANAGEMENT_PORT: '0' },
      ...{ API_INTERNAL_URL: managementUrl, MEDIA_PUBLIC_URL: url },
    });
    world = await MediaWorld.of(api);
    await connect();
  });
  afterAll(async () => {
    worker.process.kill('SIGTERM');
    await new Promise((resolve) => worker.process.once('exit', resolve));
    await api.stop();
    await sandbox.stop();
  });

  /** As a person does it in a browser. */
  const connect = async () => {
    const path = `/api/integrations/x/connect?brandId=${world.brandId}`;
    const { body, headers } = await world.call('POST', path);
    const { pathname, searchParams } = new URL(body.authorizationUrl as string);
    const form = new URLSearchParams([...searchParams, ['decision', 'authorize'], ['username', 'northwind']]);
    const allowed = await sandbox.call('POST', pathname, { body: form });
    const back = new URL(allowed.headers.get('location') ?? '');
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    await fetch(api.service.url + back.pathname + back.search, { headers: { cookie } });
  };
  const ready = async (mediaId: string): Promise<string> => {
    const read = () => world.call('GET', `/api/media/${mediaId}`);
    await waitUntil(async () => (await read()).body.status !== 'inspecting', LIMIT_MS);
    expect((await read()).body).toMatchObject({ status: 'ready', rejection: null });
    return mediaId;
  };
  const upload = async (bytes: Buffer, fields: object) => ready(await world.uploaded(bytes, fields));
  /** @returns the id of the post, once it is published */
  const publish = async (text: string, mediaIds: readonly string[]): Promise<string> => {
    const scheduledAt = new Date(Date.now() + 1_000).toISOString();
    const post = { brandId: world.brandId, platform: 'x', text, mediaIds, scheduledAt };
    const created = await world.call('POST', '/api/posts', post);
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const postId = created.body.id as string;
    const read = () => world.call('GET', `/api/posts/${postId}`);
    await waitUntil(
      async () => ['published', 'failed'].includes((await read()).body.status as string),
      LIMIT_MS,
    );
    expect((await read()).body).toMatchObject({ status: 'published', failure: null });
    return postId;
  };
  const effectsOf = async (text: string) =>
    (await sandbox.ledger(`?${new URLSearchParams({ text, kind: 'post.created' }).toString()}`)) as {
      readonly id: string;
      readonly media: readonly MediaOfEffect[];
    }[];
  /** The bytes on the timeline, in their order. */
  const shownOn = async (): Promise<Buffer[]> => {
    const page = (await sandbox.call('GET', '/x-web/northwind')).body as string;
    const addresses = [...page.matchAll(/src="(\/x-web\/i\/media\/\d+)"/g)].map(
      ([, address = '']) => address,
    );
    return Promise.all(
      addresses.map(async (address) => Buffer.from(await (await fetch(sandbox.url + address)).arrayBuffer())),
    );
  };
  const history = async (postId: string) =>
    (
      await api.test.database.query<{ type: string; reason: string | null }>(
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
      const mediaId = await upload(original, { altText: 'A roof in the rain' });
      await publish('One image', [mediaId]);
      const [post, another] = await effectsOf('One image');
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
          await upload(await aPicture(width, 30), { contentType: 'image/png', fileName: `${width}.png` }),
        );
      await publish('Four images', ids.toReversed());
      const [post] = await effectsOf('Four images');
      expect(post?.media.map(({ width }) => width)).toEqual([70, 60, 50, 40]);
    },
    2 * LIMIT_MS,
  );

  it.each([
    ['a GIF', () => anAnimation(64, 48, 5), 'image/gif', 'animation.gif'],
    ['a video', () => makeVideo({ fastStart: false }), 'video/mp4', 'film.mp4'],
  ])(
    '%s waits until X has processed it, and goes out once',
    async (text, make, contentType, fileName) => {
      const mediaId = await upload(await make(), { contentType, fileName });
      const postId = await publish(text, [mediaId]);
      const posts = await effectsOf(text);
      expect(posts).toHaveLength(1);
      expect(posts[0]?.media).toEqual([expect.objectContaining({ contentType })]);
      expect(await history(postId)).toContain('PostHeld: network_processing');
    },
    2 * LIMIT_MS,
  );
});
