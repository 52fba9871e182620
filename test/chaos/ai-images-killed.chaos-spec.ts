import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type AiWorld, draws, openAiWorld } from '../support/ai-world.js';
import { BusinessApi } from '../support/business-api.js';
import { aPicture } from '../support/pictures.js';
import type { SpawnedEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

/** A store that accepts connections and never answers. */
class SilentStore {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SilentStore> {
    const server = createServer();
    const store = new SilentStore(server);
    server.on('connection', (socket) => store.sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describe('an API that ends while a picture is drawn', () => {
  let ai: AiWorld;
  let api: BusinessApi;
  let silent: SilentStore;
  let headers: Record<string, string>;
  let brandId: string;
  /** Calls that the provider has not answered. */
  let waiting: ServerResponse[];
  const processes: SpawnedEntry[] = [];

  beforeAll(async () => {
    ai = await openAiWorld();
    silent = await SilentStore.start();
    await ai.model('openai/painter');
    api = await BusinessApi.start(ai.gateway.client);
    const [id, organizationId] = [randomUUID(), randomUUID()];
    const token = ai.gateway.identity.user({ id, organizations: [{ id: organizationId, role: 'owner' }] });
    headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await ai.credential({ provider: 'openai', organizationId });
    await ai.prefer(organizationId, { capability: 'images', default: 'openai/painter' });
    const { body } = await api.as(token)('POST', '/api/brands', { name: 'Acme', organizationId });
    brandId = body.id as string;
  });
  beforeEach(async () => {
    await api.test.database.query('DELETE FROM media.file');
    waiting = [];
    ai.openai.respond((response) => void waiting.push(response));
  });
  afterAll(async () => {
    for (const { process: victim } of processes) victim.kill('SIGKILL');
    await api.stop();
    await ai.close();
    silent.stop();
  });

  const spawn = async (more: Record<string, string> = {}) => {
    const victim = await api.spawn(more);
    processes.push(victim);
    return victim;
  };
  const send = (url: string, more: Record<string, string>, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ brandId, prompt: 'A lighthouse' }),
      signal,
    });
  const generate = (url: string, key: string, signal?: AbortSignal) =>
    send(`${url}/api/ai/generate-image`, { 'idempotency-key': key }, signal);
  const count = async (table: string) => (await api.test.database.query(`SELECT FROM media.${table}`)).length;
  const files = () => count('file');
  const endLeases = () =>
    api.test.database.query(
      `UPDATE http.idempotent_request SET lease_until = now() - interval '1 s' WHERE response IS NULL`,
    );
  const endClaims = () =>
    api.test.database.query('UPDATE ai.keyed_image SET due_at = now() WHERE result IS NULL');
  /** The provider answers all calls. */
  const drawAll = async () => {
    const png = await aPicture(64, 64);
    for (const response of waiting) draws(png)(response, ai.openai.calls[0] as never);
  };
  const paid = () => ai.openai.calls.length;
  const kill = async ({ process: victim }: SpawnedEntry) => {
    victim.kill('SIGKILL');
    await waitUntil(() => victim.signalCode !== null);
  };
  /** Sends SIGTERM, and waits until the public address is closed. `ended` resolves when the process has ended. */
  const end = async ({ process: victim, url }: SpawnedEntry) => {
    const ended = once(victim, 'exit');
    victim.kill('SIGTERM');
    await waitUntil(() =>
      fetch(`${url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    return { ended };
  };

  it('by a kill before the commit: the same key finds the picture at the gateway, and pays once', async () => {
    const [victim, key] = [await spawn(), randomUUID()];
    const lost = generate(victim.url, key).catch(() => 'lost');
    await waitUntil(() => waiting.length > 0);
    await kill(victim);
    expect(await lost).toBe('lost');
    await endLeases();
    // The first call still runs at the gateway: the repeated request waits for it.
    const again = generate(api.service.url, key);
    await drawAll();
    expect((await again).status).toBe(200);
    expect([paid(), await files()]).toEqual([1, 1]);
  });

  it('by a kill before the commit: another process stores the picture without its client', async () => {
    const [victim, key] = [await spawn(), randomUUID()];
    const lost = generate(victim.url, key).catch(() => 'lost');
    await waitUntil(() => waiting.length > 0);
    await kill(victim);
    await lost;
    await drawAll();
    await endClaims();
    await waitUntil(async () => (await files()) === 1);
    await endLeases();
    const again = await generate(api.service.url, key);
    const { mediaId } = (await again.json()) as { mediaId: string };
    expect([again.status, again.headers.get('location')]).toEqual([200, `/api/media/${mediaId}`]);
    expect([paid(), await files()]).toEqual([1, 1]);
  });

  it('by a kill after the payment, in the commit: another process stores the picture', async () => {
    const [victim, key] = [await spawn(), randomUUID()];
    const { database } = api.test;
    await database.transaction(async (transaction) => {
      await transaction.query('LOCK TABLE media.generation IN SHARE MODE');
      void generate(victim.url, key).catch(() => 'lost');
      await waitUntil(() => waiting.length > 0);
      await drawAll();
      await waitUntil(async () => {
        const [{ blocked } = { blocked: 0 }] = await transaction.query<{ blocked: number }>(
          `SELECT count(*)::int AS blocked FROM pg_locks WHERE NOT granted AND relation = 'media.generation'::regclass`,
        );
        return blocked > 0;
      });
      await kill(victim);
    });
    await endClaims();
    await waitUntil(async () => (await files()) === 1);
    expect(paid()).toBe(1);
  });

  it('by a kill after the commit: the picture and the response are kept', async () => {
    const silently = { S3_ENDPOINT: silent.url, S3_TIMEOUT_MS: '60000' };
    const [victim, key] = [await spawn(silently), randomUUID()];
    const lost = generate(victim.url, key).catch(() => 'lost');
    await waitUntil(() => waiting.length > 0);
    await drawAll();
    await waitUntil(async () => (await count('waiting_bytes')) > 0);
    await kill(victim);
    expect(await lost).toBe('lost');
    const again = await generate(api.service.url, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect([paid(), await files(), await count('waiting_bytes')]).toEqual([1, 1, 1]);
  });

  it('by SIGTERM: a picture with a key whose client has left is stored', async () => {
    const [victim, client] = [await spawn({ SHUTDOWN_GRACE_MS: '120000' }), new AbortController()];
    const left = generate(victim.url, randomUUID(), client.signal).catch(() => 'left');
    await waitUntil(() => waiting.length > 0);
    client.abort();
    expect(await left).toBe('left');
    const { ended } = await end(victim);
    await drawAll();
    await ended;
    expect([paid(), await files()]).toEqual([1, 1]);
  });

  it('by SIGTERM: a picture of an operator is stored, and the response sent', async () => {
    const victim = await spawn({ SHUTDOWN_GRACE_MS: '120000' });
    const authorization = `Bearer ${api.internalToken}`;
    const sent = send(`${victim.managementUrl}/internal/ai/generate-image`, { authorization });
    await waitUntil(() => waiting.length > 0);
    const { ended } = await end(victim);
    await drawAll();
    expect((await sent).status).toBe(200);
    await ended;
    expect([paid(), await files()]).toEqual([1, 1]);
  });

  it('waits for a silent store only shortly: the picture is kept', async () => {
    const victim = await spawn({ S3_ENDPOINT: silent.url, S3_TIMEOUT_MS: '60000' });
    const sent = generate(victim.url, randomUUID());
    await waitUntil(() => waiting.length > 0);
    await drawAll();
    expect((await sent).status).toBe(200);
    expect([await files(), await count('waiting_bytes')]).toEqual([1, 1]);
  }, 40_000);
});
