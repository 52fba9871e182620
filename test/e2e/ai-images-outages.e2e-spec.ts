import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from '#libs/config';
import type { RunningService } from '#libs/http';
import { callOf } from '../support/call.js';
import {
  FALLBACK_MODEL,
  IMAGE_MODEL,
  type ImageOwner,
  ImagesWorld,
  OTHER_MODEL,
} from '../support/images-world.js';
import { DOLLAR, limitOfOrganization, spendWorld } from '../support/spend-world.js';
import { waitUntil } from '../support/wait-until.js';

const BODY = { prompt: 'A lighthouse at dawn', width: 64, height: 64 };

/** A gateway that reads requests and sends nothing. */
async function brokenGateway() {
  const server = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

describe('pictures by AI models, when something is down or full', () => {
  let world: ImagesWorld;
  let owner: ImageOwner;
  const replicas: RunningService[] = [];

  beforeAll(async () => {
    world = await ImagesWorld.start();
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await world.stop();
  });
  beforeEach(async () => {
    await world.reset();
    owner = await world.owner();
  });

  const key = () => ({ 'idempotency-key': randomUUID() });
  const replica = async (more: Environment): Promise<ImageOwner['call']> => {
    const service = await world.api.replica(more);
    replicas.push(service);
    return callOf(service.url, { authorization: `Bearer ${owner.token}` });
  };
  const keyedRows = () => world.api.test.database.query('SELECT FROM ai.keyed_image WHERE result IS NULL');
  /** Sets what the organization has stored. */
  const stores = (bytes: number) =>
    world.api.test.database.query(
      `INSERT INTO uploads.storage_use (organization_id, bytes) VALUES ($1, $2)
       ON CONFLICT (organization_id) DO UPDATE SET bytes = excluded.bytes`,
      [owner.organizationId, bytes],
    );

  it('are not drawn beyond the storage quota', async () => {
    await stores(1e15);
    const { status, body } = await world.generate(owner);
    expect([status, body.code, await world.drawn()]).toEqual([413, 'storage_quota_exceeded', 0]);
  });

  it('are not drawn beyond the spend of the organization', async () => {
    const { database } = world.ai.gateway.test;
    const limit = limitOfOrganization(owner.organizationId, { hard: 10n * DOLLAR });
    await spendWorld(world.ai.gateway.test).limits.create(limit, 'test');
    await database.query('UPDATE gateway.spend_counter SET spent = $1', [String(10n * DOLLAR)]);
    const { status, body } = await world.generate(owner);
    expect([status, body.code, await world.drawn()]).toEqual([429, 'spend_limit_reached', 0]);
  });

  it('say that the gateway is not set up or not there, and promise nothing', async () => {
    const without = await replica({ GATEWAY_SERVICE_TOKEN: undefined });
    const gone = await replica({ GATEWAY_URL: 'http://127.0.0.1:9' });
    for (const headers of [{}, key()]) {
      const missing = await world.generate(owner, {}, headers, without);
      expect([missing.status, missing.body.code]).toEqual([503, 'images_not_set_up']);
      const down = await world.generate(owner, {}, headers, gone);
      expect([down.status, down.body.code]).toEqual([503, 'image_providers_unavailable']);
    }
    expect(await keyedRows()).toEqual([]);
  });

  it('are in doubt when the connection to the gateway is lost; with a key they are stored without their client', async () => {
    const lost = await brokenGateway();
    const headers = key();
    const call = await replica({ GATEWAY_URL: lost.url });
    const unkeyed = await world.generate(owner, {}, {}, call);
    expect([unkeyed.status, unkeyed.body.code]).toEqual([502, 'image_in_doubt']);
    const keyed = await world.generate(owner, {}, headers, call);
    expect([keyed.status, keyed.body.code]).toEqual([502, 'image_in_doubt']);
    await replicas.pop()?.close();
    lost.close();
    await waitUntil(async () => (await world.files(owner.brandId)).length === 1);
    const again = await world.generate(owner, {}, headers);
    expect([again.status, await world.files(owner.brandId)]).toEqual([200, [again.body.mediaId]]);
    expect(await world.drawn()).toBe(1);
  });

  it('that are paid for are found by their key, whatever limits are reached meanwhile', async () => {
    const { database } = world.api.test;
    const call = await replica({ IMAGES_PER_HOUR: '1' });
    const headers = key();
    await database.query(`
      CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON media.generation EXECUTE FUNCTION public.refuse()`);
    expect((await world.generate(owner, {}, headers, call)).status).toBe(500);
    await stores(1e15);
    const limited = await world.generate(owner, {}, key(), call);
    expect([limited.status, limited.body.code]).toEqual([413, 'storage_quota_exceeded']);
    await database.query('DROP FUNCTION public.refuse CASCADE');
    await waitUntil(async () => (await world.generate(owner, {}, headers, call)).status === 200);
    expect([await world.drawn(), (await world.files(owner.brandId)).length]).toEqual([1, 1]);
  });

  it('of another request with the same key are refused, and the first one is not', async () => {
    const lost = await brokenGateway();
    const headers = key();
    const call = await replica({ GATEWAY_URL: lost.url });
    expect((await world.generate(owner, {}, headers, call)).status).toBe(502);
    await replicas.pop()?.close();
    lost.close();
    const other = await world.generate(owner, { prompt: 'A harbour' }, headers);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    await waitUntil(async () => (await world.generate(owner, {}, headers)).status === 200);
    expect(await world.drawn()).toBe(1);
  });

  it('are limited per organization and hour over all replicas that count at the same time', async () => {
    const limit = { IMAGES_PER_HOUR: '3', IMAGES_AT_ONCE: '48' };
    const calls = [await replica(limit), await replica(limit)];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => world.generate(owner, {}, {}, calls[at % 2])),
    );
    const codes = answers.map(({ status, body }) => (status === 200 ? 200 : (body.code as string)));
    expect(codes.filter((code) => code === 200)).toHaveLength(3);
    expect(codes.filter((code) => code === 'image_limit_reached')).toHaveLength(9);
    expect(await world.drawn()).toBe(3);
  });

  describe('for operators', () => {
    const ask = ({ managementUrl }: RunningService, changes: object = {}) =>
      callOf(managementUrl, { authorization: `Bearer ${world.api.internalToken}` })(
        'POST',
        '/internal/ai/generate-image',
        { ...BODY, brandId: owner.brandId, ...changes },
      );
    const here = () => world.api.service;

    it('need a brand, an allowed model and space', async () => {
      expect((await ask(here(), { brandId: undefined })).status).toBe(400);
      await world.ai.gateway.test.database.query(
        'UPDATE gateway.model_preference SET allowed_models = $2 WHERE organization_id = $1',
        [owner.organizationId, [IMAGE_MODEL, FALLBACK_MODEL]],
      );
      const forbidden = await ask(here(), { model: OTHER_MODEL });
      expect([forbidden.status, forbidden.body.code]).toEqual([403, 'model_not_allowed']);
      await stores(1e15);
      expect((await ask(here())).status).toBe(413);
    });

    it('have the same outcomes', async () => {
      await world.providers.fault({ kind: 'rate-limited' });
      expect((await ask(here())).status).toBe(429);
      await world.reset();
      // The breaker of the first one's model is open for the time of the rate limit.
      owner = await world.owner();
      await world.providers.fault({ kind: 'half-image' });
      expect((await ask(here())).status).toBe(502);
      const { database } = world.ai.gateway.test;
      await database.query('DELETE FROM gateway.credential WHERE organization_id = $1', [
        owner.organizationId,
      ]);
      const missing = await ask(here());
      expect([missing.status, missing.body.code]).toEqual([503, 'images_not_set_up']);
    });
  });
});
