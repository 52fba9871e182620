import { randomBytes } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { MediaWorld } from '../support/media-world.js';
import { sharedStorage } from '../support/object-storage.js';
import { aPicture } from '../support/pictures.js';
import { SandboxForTests } from '../support/sandbox.js';
import type { SpawnedEntry } from '../support/spawn-entry.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { makeVideo } from '../support/video-files.js';
import { waitUntil } from '../support/wait-until.js';

const PUBLIC_URL = 'http://127.0.0.1:3000';
/** A minute: two processes, inspection and renditions on a busy machine. */
const LIMIT_MS = 60_000;
const VIDEO = { contentType: 'video/mp4', fileName: 'film.mp4' };

/** A video and photos, from the browser to the timeline; nothing is replaced by a double. */
describe('posts on TikTok', () => {
  let sandbox: SandboxForTests;
  let api: BusinessApi;
  let worker: SpawnedEntry;
  let world: MediaWorld;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start({
      SANDBOX_REDIRECT_URIS: `${PUBLIC_URL}/api/integrations/tiktok/callback`,
    });
    const shared = {
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      PUBLIC_URL,
      TIKTOK_API_URL: `${sandbox.url}/tiktok`,
      TIKTOK_AUTHORIZE_URL: `${sandbox.url}/tiktok-web/v2/auth/authorize/`,
      ...sharedStorage(),
    };
    const credentials = { TIKTOK_CLIENT_KEY: 'sandbox-client', TIKTOK_CLIENT_SECRET: 'sandbox-secret' };
    api = await BusinessApi.start({ ...shared, ...credentials });
    const { managementUrl, url } = api.service;
    worker = await spawnEntry('dist/src/worker.js', {
      ...{ ...api.test.environment, ...shared, WORKER_MANAGEMENT_PORT: '0' },
      ...{ API_INTERNAL_URL: managementUrl, MEDIA_PUBLIC_URL: url, DELIVERY_WAIT_SCALE: '0.1' },
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
  const connect = async (): Promise<void> => {
    const path = `/api/integrations/tiktok/connect?brandId=${world.brandId}`;
    const { body, headers } = await world.call('POST', path);
    const { pathname, searchParams } = new URL(body.authorizationUrl as string);
    const form = new URLSearchParams([
      ...searchParams,
      ['decision', 'authorize'],
      ['username', 'northwind.coffee'],
    ]);
    const allowed = await sandbox.call('POST', pathname, { body: form });
    const back = new URL(allowed.headers.get('location') ?? '');
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    await fetch(api.service.url + back.pathname + back.search, { headers: { cookie } });
  };
  const uploaded = async (bytes: Buffer, fields = {}): Promise<string> => {
    const mediaId = await world.uploaded(bytes, fields);
    const isInspected = async () =>
      (await world.call('GET', `/api/media/${mediaId}`)).body.status !== 'inspecting';
    await waitUntil(isInspected, LIMIT_MS);
    return mediaId;
  };
  /** The post when it is published or failed. */
  const published = async (text: string, mediaId: string, options: object) => {
    const scheduledAt = new Date(Date.now() + 1_000).toISOString();
    const post = {
      brandId: world.brandId,
      platform: 'tiktok',
      text,
      scheduledAt,
      mediaIds: [mediaId],
      options,
    };
    const created = await world.call('POST', '/api/posts', post);
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const read = () => world.call('GET', `/api/posts/${created.body.id as string}`);
    const isOver = async () => ['published', 'failed'].includes((await read()).body.status as string);
    await waitUntil(isOver, LIMIT_MS);
    return (await read()).body as Record<string, unknown>;
  };
  const effectsOf = async (text: string) =>
    sandbox.ledger(`?${new URLSearchParams({ text, kind: 'post.created' }).toString()}`);

  it('are decided by TikTok after the call, published once, and shown on the timeline', async () => {
    const video = await uploaded(await makeVideo({ soundFrom: null }), VIDEO);
    const photo = await uploaded(await aPicture(600, 800, { format: 'png' }), {
      contentType: 'image/png',
      fileName: 'cup.png',
    });
    const posts = await Promise.all([
      published('A video', video, { privacy: 'public', madeWithAi: true }),
      published('Only for me', photo, { privacy: 'private' }),
    ]);
    for (const post of posts) expect(post).toMatchObject({ status: 'published', failure: null });
    expect(posts[0].platformPostId).toMatch(/^\d{19}$/);
    expect(posts[1].platformPostId).toMatch(/^p_pub_url~/);
    for (const text of ['A video', 'Only for me']) expect(await effectsOf(text)).toHaveLength(1);
    const timeline = (await sandbox.call('GET', '/tiktok-web/northwind.coffee')).body as string;
    for (const shown of ['A video', '<video', 'AI-generated', 'Only for me', 'only me'])
      expect(timeline).toContain(shown);
    expect((await fetch(posts[0].platformPostUrl as string)).status).toBe(200);
  });

  it('that TikTok fails after the call are failed with its reason', async () => {
    await sandbox.control('PUT', '/tiktok/settings', { failReason: 'frame_rate_check_failed' });
    const video = await uploaded(await makeVideo({ soundFrom: null, bytes: 600 }), VIDEO);
    const post = await published('Failed later', video, { privacy: 'public' });
    expect(post).toMatchObject({
      status: 'failed',
      failure: { code: 'media_refused', networkCode: 'frame_rate_check_failed' },
    });
    expect(await effectsOf('Failed later')).toHaveLength(0);
  });
});
