import { randomBytes } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { MediaWorld } from '../support/media-world.js';
import { sharedStorage } from '../support/object-storage.js';
import { aPicture } from '../support/pictures.js';
import { SandboxForTests } from '../support/sandbox.js';
import type { SpawnedEntry } from '../support/spawn-entry.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { makeVideo, steadyPictures } from '../support/video-files.js';
import { waitUntil } from '../support/wait-until.js';

interface Effect {
  readonly account: { readonly username: string };
  readonly media?: readonly { readonly category: string; readonly altText?: string }[];
}

const PUBLIC_URL = 'http://127.0.0.1:3000';
/** A minute: two processes, inspection and renditions on a busy machine. */
const LIMIT_MS = 60_000;

/** Two pages of one person; nothing is replaced by a double. */
describe('posts on pages of Facebook', () => {
  let sandbox: SandboxForTests;
  let api: BusinessApi;
  let worker: SpawnedEntry;
  let world: MediaWorld;
  let pages: Record<string, { connectionId: string; pageId: string }>;

  beforeAll(async () => {
    sandbox = await SandboxForTests.start({
      SANDBOX_REDIRECT_URIS: `${PUBLIC_URL}/api/integrations/facebook/callback`,
    });
    await sandbox.control('PUT', '/facebook/settings', { transferBytes: 50_000 });
    await sandbox.account('ada', { pages: ['ada.bakery', 'ada.garden'] }, 'facebook');
    const shared = {
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      PUBLIC_URL,
      FACEBOOK_GRAPH_URL: `${sandbox.url}/facebook`,
      FACEBOOK_VIDEO_URL: `${sandbox.url}/facebook-video`,
      FACEBOOK_UPLOAD_URL: `${sandbox.url}/facebook-upload`,
      FACEBOOK_DIALOG_URL: `${sandbox.url}/facebook-web`,
      ...sharedStorage(),
    };
    api = await BusinessApi.start({
      ...shared,
      FACEBOOK_APP_ID: 'sandbox-facebook-app',
      FACEBOOK_APP_SECRET: 'sandbox-facebook-secret',
    });
    const { managementUrl, url } = api.service;
    worker = await spawnEntry('dist/src/worker.js', {
      ...{ ...api.test.environment, ...shared, WORKER_MANAGEMENT_PORT: '0' },
      ...{ API_INTERNAL_URL: managementUrl, MEDIA_PUBLIC_URL: url },
    });
    world = await MediaWorld.of(api);
    await connect();
    const { body } = await world.call('GET', `/api/integrations?brandId=${world.brandId}`);
    pages = Object.fromEntries(
      (body.data as { id: string; account: { id: string; username: string } }[]).map(({ id, account }) => [
        account.username,
        { connectionId: id, pageId: account.id },
      ]),
    );
  });
  afterAll(async () => {
    worker.process.kill('SIGTERM');
    await new Promise((resolve) => worker.process.once('exit', resolve));
    await api.stop();
    await sandbox.stop();
  });

  /** As a person does it in a browser. */
  const connect = async () => {
    const path = `/api/integrations/facebook/connect?brandId=${world.brandId}`;
    const { body, headers } = await world.call('POST', path);
    const { pathname, searchParams } = new URL(body.authorizationUrl as string);
    const form = new URLSearchParams([...searchParams, ['decision', 'authorize'], ['username', 'ada']]);
    const allowed = await sandbox.call('POST', pathname, { body: form });
    const back = new URL(allowed.headers.get('location') ?? '');
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    const page = await fetch(api.service.url + back.pathname + back.search, { headers: { cookie } });
    expect(await page.text()).toContain('are connected');
  };
  const upload = async (bytes: Buffer, fields: object): Promise<string> => {
    const mediaId = await world.uploaded(bytes, fields);
    const read = () => world.call('GET', `/api/media/${mediaId}`);
    await waitUntil(async () => (await read()).body.status !== 'inspecting', LIMIT_MS);
    expect((await read()).body).toMatchObject({ status: 'ready', rejection: null });
    return mediaId;
  };
  const create = (text: string, more: object) => {
    const scheduledAt = new Date(Date.now() + 1_000).toISOString();
    const post = { brandId: world.brandId, platform: 'facebook', text, scheduledAt, ...more };
    return world.call('POST', '/api/posts', post);
  };
  /** The post when it is published or failed. */
  const published = async (text: string, more: object) => {
    const created = await create(text, more);
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const read = () => world.call('GET', `/api/posts/${created.body.id as string}`);
    const isOver = async () => ['published', 'failed'].includes((await read()).body.status as string);
    await waitUntil(isOver, LIMIT_MS);
    return (await read()).body as Record<string, unknown>;
  };
  const effects = async (text: string) =>
    (await sandbox.ledger(`?${new URLSearchParams({ text, kind: 'post.created' }).toString()}`)) as Effect[];
  const shown = async (post: Record<string, unknown>) => (await fetch(post.platformPostUrl as string)).text();

  it('are texts, links, photos, videos and reels, each once on the page that it names', async () => {
    const upright = { pictures: steadyPictures(0, 4), rotation: 90 } as const;
    const [first, second, video] = await Promise.all([
      upload(await aPicture(600, 400, { format: 'jpeg' }), { altText: 'A loaf' }),
      upload(await aPicture(400, 600, { format: 'jpeg', seed: 2 }), {}),
      upload(await makeVideo({ bytes: 2_000, ...upright }), {
        fileName: 'reel.mp4',
        contentType: 'video/mp4',
      }),
    ]);
    const on = (page: string) => ({ target: { pageId: pages[page]?.pageId } });
    const posts = await Promise.all([
      published('A text', { link: 'https://example.com/bread', ...on('ada.garden') }),
      published('Two photos', { mediaIds: [first, second], ...on('ada.bakery') }),
      published('A video', { mediaIds: [video], ...on('ada.garden') }),
      published('A reel', {
        mediaIds: [video],
        options: { format: 'reel', madeWithAi: true },
        ...on('ada.bakery'),
      }),
    ]);
    for (const post of posts) expect(post).toMatchObject({ status: 'published', failure: null });
    const [text, photos, film, reel] = await Promise.all(
      ['A text', 'Two photos', 'A video', 'A reel'].map(effects),
    );
    const accounts = [text, photos, film, reel].map((all) => all?.map(({ account }) => account.username));
    expect(accounts).toEqual([['ada.garden'], ['ada.bakery'], ['ada.garden'], ['ada.bakery']]);
    expect(photos?.[0]?.media?.map(({ altText }) => altText)).toEqual(['A loaf', undefined]);
    expect([film?.[0]?.media?.[0]?.category, reel?.[0]?.media?.[0]?.category]).toEqual(['video', 'reel']);
    const [textPage = '', photoPage = '', filmPage = '', reelPage = ''] = await Promise.all(posts.map(shown));
    expect(textPage).toContain('https://example.com/bread');
    expect(photoPage.match(/<img src="\/facebook-web\/i\/media/g)).toHaveLength(2);
    expect([filmPage.includes('<video'), reelPage.includes('AI info')]).toEqual([true, true]);
  });

  it('for a group are refused when they are created', async () => {
    const refused = await create('For a group', { target: { groupId: '1' } });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('no longer lets services publish to groups');
  });

  it('wait for a new connection after the person removed this service', async () => {
    const url = `${api.service.url}/api/integrations/facebook/deauthorize`;
    const sent = await sandbox.control('POST', '/facebook/accounts/ada/deauthorize', { url });
    expect(sent.body).toMatchObject({ status: 200 });
    const target = { pageId: pages['ada.bakery']?.pageId };
    expect(await published('After the end', { target })).toMatchObject({
      status: 'failed',
      failure: { class: 'auth', code: 'reconnect_needed' },
    });
    expect(await effects('After the end')).toEqual([]);
    await connect();
    expect(await published('Connected again', { target })).toMatchObject({ status: 'published' });
    const { body } = await world.call('GET', `/api/integrations?brandId=${world.brandId}`);
    const ids = (body.data as { id: string }[]).map(({ id }) => id);
    expect(ids.sort()).toEqual(
      Object.values(pages)
        .map(({ connectionId }) => connectionId)
        .sort(),
    );
  });
});
