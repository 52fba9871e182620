import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';

type Json = Record<string, unknown>;

describe('reading the sources of the model catalog', () => {
  let gateway: BootedGateway;
  let server: Server;
  const received: { url: string; authorization: string | undefined }[] = [];
  const list: { status: number; body: string; headers: Record<string, string> } = {
    status: 200,
    body: '',
    headers: {},
  };
  const catalog = { ...list };
  const administrative = randomUUID();

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { url = '', headers } = request;
      received.push({ url, authorization: headers.authorization });
      const { status, headers: sent, body } = url.startsWith('/catalog') ? catalog : list;
      response.writeHead(status, { 'content-type': 'application/json', ...sent }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    gateway = await bootGateway('http://127.0.0.1:9', {
      OPENAI_URL: `${url}/openai`,
      MODEL_CATALOG_URL: `${url}/catalog`,
    });
  });
  afterAll(async () => {
    await gateway.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    received.length = 0;
    Object.assign(list, {
      status: 200,
      body: JSON.stringify({ data: [{ id: 'gpt-5', shutdown_date: '2099-12-01' }, { id: 'gpt-new' }] }),
    });
    const model = { name: 'New', limit: { context: 1000 }, cost: { input: 1, output: 2 } };
    Object.assign(catalog, {
      status: 200,
      headers: {},
      body: JSON.stringify({ openai: { models: { 'gpt-new': model, 'gpt-bad': { cost: 7 } } } }),
    });
  });

  const administrator = (
    principalType: 'user' | 'platform_admin' | 'platform_super_admin',
    isAdministrative = true,
  ) =>
    gateway.identity.user({
      principalType,
      organizations: [
        {
          id: isAdministrative ? administrative : randomUUID(),
          isAdministrative,
          scopes: ['ai.invoke', 'org.admin', 'provider_credentials.manage'],
        },
      ],
    });
  async function post(path: string, token: string, body?: object) {
    const response = await fetch(`${gateway.service.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }
  const sync = () => post('/models/sync', administrator('platform_super_admin'));
  const resultOf = ({ body }: { body: Json }, source: string) =>
    (body.sources as Json[]).find((one) => one.source === source);

  it.each([
    ['platform_admin', true],
    ['user', true],
    ['platform_super_admin', false],
  ] as const)(
    'GW-20: is refused to a %s (administrative organization: %s)',
    async (type, isAdministrative) => {
      expect((await post('/models/sync', administrator(type, isAdministrative))).status).toBe(403);
      expect(received).toEqual([]);
    },
  );

  it('GW-20: reports each source and stores what they have', async () => {
    const without = await sync();
    expect(without.status).toBe(200);
    expect(resultOf(without, 'openai')).toMatchObject({ outcome: 'skipped' });
    const credential = {
      scope: 'platform',
      provider: 'openai',
      label: 'Platform',
      secret: 'sk-of-the-platform-0123456789',
    };
    const added = await post('/credentials', administrator('platform_super_admin'), credential);
    expect([added.status, added.body]).toEqual([201, expect.anything()]);
    const synced = await sync();
    expect(resultOf(synced, 'openai')).toMatchObject({ outcome: 'done', models: 2, rejected: 0 });
    expect(resultOf(synced, 'catalog')).toMatchObject({
      outcome: 'done',
      models: 1,
      rejected: 1,
      detail: '1 malformed models were left out: openai/gpt-bad: cost is no object.',
    });
    expect(resultOf(synced, 'anthropic')).toMatchObject({ outcome: 'skipped' });
    expect(received.find(({ url }) => url.startsWith('/openai'))?.authorization).toBe(
      'Bearer sk-of-the-platform-0123456789',
    );
    const rows = await gateway.test.database.query(
      `SELECT id, retires_at::text, context_window, p.source FROM gateway.model m
         JOIN gateway.current_model_price p ON p.provider = m.provider AND p.model = m.id
        WHERE m.provider = 'openai' AND id IN ('gpt-5', 'gpt-new') ORDER BY id`,
    );
    expect(rows).toEqual([
      { id: 'gpt-5', retires_at: '2099-12-01', context_window: 400_000, source: 'genai-prices' },
      { id: 'gpt-new', retires_at: null, context_window: 1_000, source: 'catalog' },
    ]);
  });

  it('marks models that only the package names and that the list of their provider lacks', async () => {
    const listed = ['gpt-5', 'gpt-4o-2024-11-20', 'gpt-4-32k-beta'].map((id) => ({ id }));
    Object.assign(list, { body: JSON.stringify({ data: listed }) });
    const unlisted = async () => {
      await sync();
      const rows = await gateway.test.database.query<{ id: string }>(
        `SELECT m.id FROM gateway.model m JOIN gateway.model_observation o ON o.provider = m.provider AND o.model = m.id
          WHERE o.source = m.provider AND o.missing_since IS NOT NULL
            AND m.provider || '/' || m.id IN ('openai/gpt-5', 'openai/gpt-4o', 'openai/gpt-4-32k', 'anthropic/claude-2')`,
      );
      return rows.map(({ id }) => id);
    };
    // gpt-4o is a name of a version that is listed. The list of Anthropic was not read.
    expect(await unlisted()).toEqual(['gpt-4-32k']);
    listed.push({ id: 'gpt-4-32k' });
    Object.assign(list, { body: JSON.stringify({ data: listed }) });
    expect(await unlisted()).toEqual([]);
  });

  const lifecycleOf = (id: string) =>
    gateway.test.database.query(
      `SELECT lifecycle, deprecated_at::text AS "deprecatedAt", retires_at::text AS "retiresAt"
         FROM gateway.model WHERE provider = 'openai' AND id = $1`,
      [id],
    );
  const today = async () => {
    const [row] = await gateway.test.database.query<{ today: string }>(
      `SELECT (now() AT TIME ZONE 'UTC')::date::text AS today`,
    );
    return row?.today ?? '';
  };

  it('GW-20: keeps the day on which a deprecation was first seen, and clears it with the deprecation', async () => {
    const ends = { id: 'gpt-new', shutdown_date: '2099-11-01' };
    const before = await today();
    Object.assign(list, { body: JSON.stringify({ data: [ends] }) });
    await sync();
    const [seen] = await lifecycleOf('gpt-new');
    expect(seen).toMatchObject({ retiresAt: '2099-11-01', lifecycle: 'active' });
    expect([before, await today()]).toContain((seen as Json).deprecatedAt);
    await gateway.test.database.query(
      `UPDATE gateway.model SET deprecated_at = '2026-01-01' WHERE provider = 'openai' AND id = 'gpt-new'`,
    );
    await sync();
    expect(await lifecycleOf('gpt-new')).toMatchObject([{ deprecatedAt: '2026-01-01' }]);
    Object.assign(list, { body: JSON.stringify({ data: [{ id: 'gpt-new' }] }) });
    await sync();
    expect(await lifecycleOf('gpt-new')).toMatchObject([{ deprecatedAt: null, retiresAt: null }]);
  });

  it('GW-20: leaves out items without a name, and reads the rest', async () => {
    Object.assign(list, { body: JSON.stringify({ data: [{ id: 'gpt-new' }, { object: 'model' }] }) });
    const synced = await sync();
    expect(resultOf(synced, 'openai')).toMatchObject({ outcome: 'done', models: 1, rejected: 1 });
  });

  it.each<[string, object, string]>([
    ['an error', { status: 503 }, 'The response has status 503.'],
    ['a redirect', { status: 302, headers: { location: '/catalog/other' } }, 'The response has status 302.'],
    ['no JSON', { body: '{"openai": {' }, 'The document is not readable: no models of our providers.'],
    ['an empty document', { body: '{}' }, 'The document is not readable: no models of our providers.'],
    ['17 MB', { body: ' '.repeat(17 * 1024 * 1024) }, 'No usable response (ANSWER_TOO_LONG).'],
  ])('GW-20: reports %s of the open catalog, and reads the rest', async (_, response, detail) => {
    Object.assign(catalog, response);
    const synced = await sync();
    expect(resultOf(synced, 'catalog')).toMatchObject({ outcome: 'failed', detail });
    expect(resultOf(synced, 'openai')).toMatchObject({ outcome: 'done' });
    expect(received.filter(({ url }) => url.startsWith('/catalog'))).toHaveLength(1);
  });
});
