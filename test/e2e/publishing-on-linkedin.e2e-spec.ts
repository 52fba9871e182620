import { randomBytes } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { MediaWorld } from '../support/media-world.js';
import { sharedStorage } from '../support/object-storage.js';
import { aPicture } from '../support/pictures.js';
import { SandboxForTests } from '../support/sandbox.js';
import type { SpawnedEntry } from '../support/spawn-entry.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

interface Effect {
  readonly account: { readonly username: string };
  readonly media?: readonly { readonly altText?: string }[];
}

interface Listed {
  readonly id: string;
  readonly platform: string;
  readonly account: { readonly id: string; readonly username: string };
}

const PUBLIC_URL = 'http://127.0.0.1:3000';
/** A minute: two processes, inspection and renditions on a busy machine. */
const LIMIT_MS = 60_000;
/** Of the sandbox: a member who may post for two organizations. */
const MEMBER = 'jonas-weber';

/** A member, and the two organizations of the same person; nothing is replaced by a double. */
describe('posts on LinkedIn', () => {
  let sandbox: SandboxForTests;
  let api: BusinessApi;
  let worker: SpawnedEntry;
  let world: MediaWorld;

  beforeAll(async () => {
    const callbacks = ['linkedin', 'linkedin-company'].map(
      (platform) => `${PUBLIC_URL}/api/integrations/${platform}/callback`,
    );
    sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: callbacks.join(',') });
    await sandbox.control('PUT', '/linkedin/settings', { refreshTokens: 'on' });
    const shared = {
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      INTERNAL_SERVICE_TOKEN: randomBytes(32).toString('hex'),
      PUBLIC_URL,
      LINKEDIN_API_URL: `${sandbox.url}/linkedin`,
      LINKEDIN_OAUTH_URL: `${sandbox.url}/linkedin-web/oauth/v2`,
      LINKEDIN_AUTHORIZE_URL: `${sandbox.url}/linkedin-web/oauth/v2/authorization`,
      ...sharedStorage(),
    };
    api = await BusinessApi.start({
      ...shared,
      LINKEDIN_CLIENT_ID: 'sandbox-client',
      LINKEDIN_CLIENT_SECRET: 'sandbox-secret',
    });
    const { managementUrl, url } = api.service;
    worker = await spawnEntry('dist/src/worker.js', {
      ...{ ...api.test.environment, ...shared, WORKER_MANAGEMENT_PORT: '0' },
      ...{ API_INTERNAL_URL: managementUrl, MEDIA_PUBLIC_URL: url, DELIVERY_WAIT_SCALE: '0.1' },
    });
    world = await MediaWorld.of(api);
    await connect('linkedin');
    await connect('linkedin-company');
  });
  afterAll(async () => {
    worker.process.kill('SIGTERM');
    await new Promise((resolve) => worker.process.once('exit', resolve));
    await api.stop();
    await sandbox.stop();
  });

  /** As a person does it in a browser. @returns the text of the last page */
  const connect = async (platform: string, username = MEMBER): Promise<string> => {
    const path = `/api/integrations/${platform}/connect?brandId=${world.brandId}`;
    const { body, headers } = await world.call('POST', path);
    const { pathname, searchParams } = new URL(body.authorizationUrl as string);
    const form = new URLSearchParams([...searchParams, ['decision', 'authorize'], ['username', username]]);
    const allowed = await sandbox.call('POST', pathname, { body: form });
    const back = new URL(allowed.headers.get('location') ?? '');
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    return (await fetch(api.service.url + back.pathname + back.search, { headers: { cookie } })).text();
  };
  const connections = async (platform: string): Promise<Listed[]> => {
    const { body } = await world.call('GET', `/api/integrations?brandId=${world.brandId}`);
    return (body.data as Listed[]).filter((each) => each.platform === platform);
  };
  const organization = async (username: string): Promise<Listed> => {
    const found = (await connections('linkedin-company')).find(
      ({ account }) => account.username === username,
    );
    if (!found) throw new Error(`${username} is not connected.`);
    return found;
  };
  const create = (platform: string, text: string, more: object) => {
    const scheduledAt = new Date(Date.now() + 1_000).toISOString();
    return world.call('POST', '/api/posts', { brandId: world.brandId, platform, text, scheduledAt, ...more });
  };
  /** The post when it is published or failed. */
  const published = async (platform: string, text: string, more: object = {}) => {
    const created = await create(platform, text, more);
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const read = () => world.call('GET', `/api/posts/${created.body.id as string}`);
    const isOver = async () => ['published', 'failed'].includes((await read()).body.status as string);
    await waitUntil(isOver, LIMIT_MS);
    return (await read()).body as Record<string, unknown>;
  };
  const effects = async (text: string) =>
    (await sandbox.ledger(`?${new URLSearchParams({ text, kind: 'post.created' }).toString()}`)) as Effect[];

  it('go to the member, or to the organization that they name', async () => {
    expect((await connections('linkedin-company')).map(({ account }) => account.username).sort()).toEqual([
      'harbor-books',
      'lumen-studio',
    ]);
    const mediaId = await world.uploaded(await aPicture(600, 400, { format: 'jpeg' }), {
      altText: 'A shelf',
    });
    await waitUntil(
      async () => (await world.call('GET', `/api/media/${mediaId}`)).body.status !== 'inspecting',
      LIMIT_MS,
    );
    const to = async (username: string) => ({
      target: { organizationId: (await organization(username)).account.id },
    });
    const posts = await Promise.all([
      published('linkedin', 'By myself (with a picture)', { mediaIds: [mediaId] }),
      published('linkedin-company', 'By the bookshop', await to('harbor-books')),
      published('linkedin-company', 'By the studio', { mediaIds: [mediaId], ...(await to('lumen-studio')) }),
    ]);
    for (const post of posts) expect(post).toMatchObject({ status: 'published', failure: null });
    const found = await Promise.all(
      ['By myself (with a picture)', 'By the bookshop', 'By the studio'].map(effects),
    );
    expect(found.map((all) => all.map(({ account }) => account.username))).toEqual([
      [MEMBER],
      ['harbor-books'],
      ['lumen-studio'],
    ]);
    expect(found[2]?.[0]?.media?.map(({ altText }) => altText)).toEqual(['A shelf']);
    const page = await (await fetch(posts[0].platformPostUrl as string)).text();
    expect(page).toContain('By myself (with a picture)');
  });

  it('whose answer is lost are never sent twice: found for a company, left to a person for a member', async () => {
    const fault = { kind: 'drop-after-effect', route: 'POST /rest/posts', times: 1 };
    await sandbox.fault({ ...fault, textContains: 'Lost by the company' });
    const { account } = await organization('harbor-books');
    const target = { organizationId: account.id };
    expect(await published('linkedin-company', 'Lost by the company', { target })).toMatchObject({
      status: 'published',
    });
    await sandbox.fault({ ...fault, textContains: 'Lost by the member' });
    expect(await published('linkedin', 'Lost by the member')).toMatchObject({
      status: 'failed',
      failure: { class: 'unconfirmed' },
    });
    for (const text of ['Lost by the company', 'Lost by the member'])
      expect(await effects(text)).toHaveLength(1);
  });

  it('are published after the tokens of both organizations were renewed with the same refresh token', async () => {
    await sandbox.control('POST', `/linkedin/accounts/${MEMBER}/expire-tokens`, { which: 'access' });
    for (const username of ['harbor-books', 'lumen-studio']) {
      const { account } = await organization(username);
      const text = `Renewed by ${username}`;
      const target = { organizationId: account.id };
      expect(await published('linkedin-company', text, { target })).toMatchObject({ status: 'published' });
      expect(await effects(text)).toHaveLength(1);
    }
  });

  it('of a company cannot be connected by a member without a role, and the page says why', async () => {
    await sandbox.account('eva-nobody', {}, 'linkedin');
    expect(await connect('linkedin-company', 'eva-nobody')).toContain('no role on a LinkedIn page');
    expect(await connections('linkedin-company')).toHaveLength(2);
  });

  it('go on for one organization when the other one is disconnected, and the consent ends with the last', async () => {
    const [books, studio] = [await organization('harbor-books'), await organization('lumen-studio')];
    expect((await world.call('DELETE', `/api/integrations/${books.id}`)).status).toBe(204);
    const target = { organizationId: studio.account.id };
    expect(await published('linkedin-company', 'Still here', { target })).toMatchObject({
      status: 'published',
    });
    const grants = async () =>
      (await sandbox.control('POST', `/linkedin/accounts/${MEMBER}/expire-tokens`, { which: 'access' })).body
        .grants as number;
    const before = await grants();
    expect((await world.call('DELETE', `/api/integrations/${studio.id}`)).status).toBe(204);
    expect(before - (await grants())).toBe(1);
  });
});
