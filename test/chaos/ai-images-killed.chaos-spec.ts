import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { AiWorld } from '../support/ai-world.js';
import { draws, openAiWorld } from '../support/ai-world.js';
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

describe('an API that is killed while a picture is drawn', () => {
  let ai: AiWorld;
  let api: BusinessApi;
  let silent: SilentStore;
  let headers: Record<string, string>;
  let brandId: string;
  const victims: SpawnedEntry[] = [];

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
  beforeEach(() => api.test.database.query('DELETE FROM media.file'));
  afterAll(async () => {
    for (const { process: victim } of victims) victim.kill('SIGKILL');
    await api.stop();
    await ai.close();
    silent.stop();
  });

  const spawn = async () => {
    const victim = await api.spawn({ S3_ENDPOINT: silent.url, S3_TIMEOUT_MS: '60000' });
    victims.push(victim);
    return victim;
  };
  const generate = (url: string, key: string) =>
    fetch(`${url}/api/ai/generate-image`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body: JSON.stringify({ brandId, prompt: 'A lighthouse' }),
    });
  const count = async (table: string) => (await api.test.database.query(`SELECT FROM media.${table}`)).length;
  const endLeases = () =>
    api.test.database.query(
      `UPDATE http.idempotent_request SET lease_until = now() - interval '1 s' WHERE response IS NULL`,
    );

  it('before the commit: the same key finds the picture at the gateway, and pays once', async () => {
    const waiting: ServerResponse[] = [];
    ai.openai.respond((response) => void waiting.push(response));
    const [victim, key] = [await spawn(), randomUUID()];
    const lost = generate(victim.url, key).catch(() => 'lost');
    await waitUntil(() => waiting.length > 0);
    victim.process.kill('SIGKILL');
    expect(await lost).toBe('lost');
    await endLeases();
    // The first call still runs at the gateway: the repeated request waits for it.
    const again = generate(api.service.url, key);
    const png = await aPicture(64, 64);
    draws(png)(waiting[0] as ServerResponse, ai.openai.calls[0] as never);
    expect((await again).status).toBe(200);
    expect([ai.openai.calls.length, await count('file')]).toEqual([1, 1]);
  });

  it('after the commit: the picture and the response are kept', async () => {
    ai.openai.respond(draws(await aPicture(64, 64)));
    const [victim, key] = [await spawn(), randomUUID()];
    const lost = generate(victim.url, key).catch(() => 'lost');
    await waitUntil(async () => (await count('waiting_bytes')) > 0);
    victim.process.kill('SIGKILL');
    expect(await lost).toBe('lost');
    const again = await generate(api.service.url, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect([ai.openai.calls.length, await count('file'), await count('waiting_bytes')]).toEqual([1, 1, 1]);
  });
});
