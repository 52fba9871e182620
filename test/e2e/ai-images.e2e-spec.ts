import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { RunningService } from '#libs/http';
import { ObjectStorage } from '#libs/object-storage';
import { callOf } from '../support/call.js';
import {
  FALLBACK_MODEL,
  IMAGE_MODEL,
  type ImageOwner,
  ImagesWorld,
  OTHER_MODEL,
} from '../support/images-world.js';
import { waitUntil } from '../support/wait-until.js';

describe('pictures by AI models', () => {
  let world: ImagesWorld;
  let owner: ImageOwner;
  const replicas: RunningService[] = [];

  beforeAll(async () => {
    world = await ImagesWorld.start({ IMAGES_PER_HOUR: '40', IMAGES_AT_ONCE: '2' });
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await world.stop();
  });
  beforeEach(async () => {
    await world.reset();
    owner = await world.owner();
  });

  const fault = (kind: string, more: object = {}) => world.providers.fault({ kind, ...more });
  const usage = () => world.ai.usage(owner.organizationId);
  const internal = (token: string | undefined, body: object, headers: Record<string, string> = {}) =>
    callOf(world.api.service.managementUrl, token ? { authorization: `Bearer ${token}` } : {})(
      'POST',
      '/internal/ai/generate-image',
      body,
      headers,
    );

  it('are stored in the library of the brand, with prompt, model, cost and attempts', async () => {
    const { status, body, headers } = await world.generate(owner, { format: 'webp', quality: 'low' });
    expect([status, body]).toEqual([
      200,
      {
        mediaId: expect.any(String),
        brandId: owner.brandId,
        status: 'inspecting',
        contentType: 'image/webp',
        bytes: expect.any(Number),
        model: IMAGE_MODEL,
        requestedModel: IMAGE_MODEL,
        isFallback: false,
        cost: expect.stringMatching(/^0\.\d+$/),
        attempts: [expect.objectContaining({ provider: 'openai', model: 'painter', outcome: 'answered' })],
      },
    ]);
    expect(headers.get('location')).toBe(`/api/media/${body.mediaId}`);
    const { body: file } = await owner.call('GET', `/api/media/${body.mediaId}`);
    expect(file).toMatchObject({
      id: body.mediaId,
      fileName: 'A lighthouse at dawn.webp',
      bytes: body.bytes,
      createdBy: { type: 'user', id: owner.id },
      generation: {
        prompt: 'A lighthouse at dawn',
        model: IMAGE_MODEL,
        requestedModel: IMAGE_MODEL,
        cost: body.cost,
        attempts: body.attempts,
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(await usage()).toMatchObject([{ model: 'painter', state: 'done' }]);
    const [attributed] = await world.ai.gateway.test.database.query(
      'SELECT user_id, application_id FROM gateway.usage WHERE organization_id = $1',
      [owner.organizationId],
    );
    const registered = await world.ai.gateway.identity.registration('social-publishing');
    expect(attributed).toEqual({ user_id: owner.id, application_id: registered?.id });
  });

  it.each(['png', 'jpeg', 'webp'])(
    'of %s are marked as made by AI in the bytes of the object store',
    async (format) => {
      const { body } = await world.generate(owner, { format });
      const [row] = await world.api.test.database.query<{ object_key: string; etag: string }>(
        'SELECT object_key, etag FROM media.file WHERE id = $1 AND inspect_due_at IS NOT NULL',
        [body.mediaId],
      );
      const bytes = await storedBytes(world, row?.object_key ?? '');
      expect(bytes.length).toBe(body.bytes);
      expect((await sharp(bytes).metadata()).xmp?.toString()).toContain('trainedAlgorithmicMedia');
      const { body: file } = await owner.call('GET', `/api/media/${body.mediaId}`);
      expect([file.contentType, file.aiMark]).toEqual([`image/${format}`, 'generated']);
    },
  );

  it.each<[string, object, string]>([
    ['no prompt', { prompt: undefined }, '#/prompt'],
    ['an empty prompt', { prompt: ' \n' }, '#/prompt'],
    ['a huge prompt', { prompt: 'x'.repeat(32_001) }, '#/prompt'],
    ['a width of nothing', { width: 0 }, '#/width'],
    ['an enormous height', { height: 4_097 }, '#/height'],
    ['an unknown format', { format: 'gif' }, '#/format'],
    ['an unknown quality', { quality: 'best' }, '#/quality'],
    ['a model without provider', { model: 'painter' }, '#/model'],
    ['no brand', { brandId: undefined }, '#/brandId'],
    ['several pictures', { count: 2 }, '#/count'],
  ])('are refused for %s', async (_, fields, pointer) => {
    const { status, body } = await world.generate(owner, fields);
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
    expect(await world.drawn()).toBe(0);
  });

  it('belong to brands of the caller, and need the permission to write', async () => {
    const other = await world.owner();
    const foreign = await world.generate(other, {}, {}, owner.call);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'brand_not_found']);
    const nobody = await world.generate(owner, {}, {}, world.api.as());
    expect(nobody.status).toBe(401);
    const reader = world.api.as(world.token(owner.organizationId, { scopes: ['posts.read'] }));
    expect((await world.generate(owner, {}, {}, reader)).status).toBe(403);
    expect(await world.drawn()).toBe(0);
  });

  describe('by a named model', () => {
    it('are for administrators, for one request', async () => {
      const named = await world.generate(owner, { model: OTHER_MODEL });
      expect([named.status, named.body.model]).toEqual([200, OTHER_MODEL]);
      const [stored] = await world.ai.gateway.test.database.query(
        'SELECT default_model FROM gateway.model_preference WHERE organization_id = $1',
        [owner.organizationId],
      );
      expect(stored).toEqual({ default_model: IMAGE_MODEL });
      expect((await world.generate(owner)).body.model).toBe(IMAGE_MODEL);
    });

    it('are refused to members and to service principals', async () => {
      const member = world.token(owner.organizationId, { role: 'member' });
      const service = world.ai.gateway.identity.service({ organization: { id: owner.organizationId } });
      for (const token of [member, service]) {
        const call = world.api.as(token);
        const named = await world.generate(owner, { model: OTHER_MODEL }, {}, call);
        expect([named.status, named.body.code]).toEqual([403, 'model_override_not_permitted']);
        expect((await world.generate(owner, {}, {}, call)).status).toBe(200);
      }
    });

    it('are refused outside of the allowed catalog', async () => {
      await world.ai.gateway.test.database.query(
        'UPDATE gateway.model_preference SET allowed_models = $2 WHERE organization_id = $1',
        [owner.organizationId, [IMAGE_MODEL, FALLBACK_MODEL]],
      );
      const refused = await world.generate(owner, { model: OTHER_MODEL });
      expect([refused.status, refused.body.code]).toEqual([403, 'model_not_allowed']);
    });
  });

  describe('when providers fail', () => {
    it('come from the fallback chain after a rate limit', async () => {
      await fault('rate-limited', { model: 'painter' });
      const { status, body } = await world.generate(owner);
      expect([status, body.model]).toEqual([200, FALLBACK_MODEL]);
      expect(body.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['rate', 'answered']);
    });

    it.each([
      ['the default', {}, IMAGE_MODEL, 'painter'],
      ['a named model', { model: OTHER_MODEL }, OTHER_MODEL, OTHER_MODEL.slice('openai/'.length)],
    ])(
      'say that another one than %s made them, in the response and in the file',
      async (_, fields, asked, name) => {
        await fault('rate-limited', { model: name });
        const key = { 'idempotency-key': randomUUID() };
        const first = await world.generate(owner, fields, key);
        expect(first.body).toMatchObject({ model: FALLBACK_MODEL, requestedModel: asked, isFallback: true });
        expect((await world.generate(owner, fields, key)).body).toEqual(first.body);
        const { body: file } = await owner.call('GET', `/api/media/${first.body.mediaId}`);
        expect(file.generation).toMatchObject({ model: FALLBACK_MODEL, requestedModel: asked });
      },
    );

    it('are 429 with Retry-After when the whole chain is limited', async () => {
      await fault('rate-limited', { retryAfterSeconds: 600 });
      const { status, body, headers } = await world.generate(owner);
      expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'provider_rate_limited', '600']);
    });

    it.each([
      ['half-image', 502, 'provider_response_unreadable', true],
      ['not-an-image', 502, 'provider_response_unreadable', true],
      ['bill-without-image', 502, 'provider_response_unreadable', true],
      ['no-image', 502, 'provider_response_unreadable', false],
      ['policy', 422, 'content_policy', false],
      ['out-of-money', 429, 'provider_out_of_money', false],
      ['overloaded', 503, 'image_providers_unavailable', false],
    ] as const)(
      'of %s are answered with %s %s, and have rows of usage',
      async (kind, status, code, isBilled) => {
        await fault(kind, { retryAfterSeconds: null });
        const answer = await world.generate(owner);
        expect([answer.status, answer.body.code]).toEqual([status, code]);
        expect(await world.files(owner.brandId)).toEqual([]);
        const rows = await usage();
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.some(({ cost }) => Number(cost) > 0)).toBe(isBilled);
      },
    );

    it('of another type than was asked for are stored as what they are', async () => {
      await fault('wrong-image-type');
      const { status, body } = await world.generate(owner, { format: 'png' });
      expect([status, body.contentType]).toEqual([200, 'image/jpeg']);
      expect(await world.files(owner.brandId)).toEqual([body.mediaId]);
    });
  });

  describe('with an Idempotency-Key', () => {
    it('are drawn once, and replayed', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const first = await world.generate(owner, {}, key);
      const again = await world.generate(owner, {}, key);
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(await world.drawn()).toBe(1);
      expect(await world.files(owner.brandId)).toHaveLength(1);
    });

    it('are of each person their own', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const colleague = world.api.as(world.token(owner.organizationId));
      await world.generate(owner, {}, key);
      expect((await world.generate(owner, {}, key, colleague)).status).toBe(200);
      expect(await world.drawn()).toBe(2);
    });

    it('are finished without the client', async () => {
      await fault('slow-first-byte', { delayMs: 300 });
      const key = { 'idempotency-key': randomUUID() };
      await leave(owner, key);
      await waitUntil(async () => (await world.generate(owner, {}, key)).status === 200);
      expect(await world.drawn()).toBe(1);
      expect(await world.files(owner.brandId)).toHaveLength(1);
    });
  });

  it('without a key are cancelled upstream when the client leaves', async () => {
    await fault('slow-first-byte', { delayMs: 600_000 });
    await leave(owner);
    await waitUntil(async () => (await calls('unknown')) > 0);
    expect(await world.files(owner.brandId)).toEqual([]);
  });

  it('are at most two at a time in a process; the others are told to come back', async () => {
    await fault('slow-first-byte', { delayMs: 1_500 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => world.generate(owner)));
    const statuses = answers.map(({ status }) => status);
    const refused = answers.filter(({ status }) => status === 429);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(refused).toHaveLength(58);
    for (const { body, headers } of refused)
      expect([body.code, headers.get('retry-after')]).toEqual(['too_many_images_at_once', '2']);
    expect(await world.drawn()).toBe(2);
  });

  it('are limited per organization and hour over all replicas', async () => {
    const limit = { IMAGES_PER_HOUR: '3' };
    replicas.push(await world.api.replica(limit), await world.api.replica(limit));
    const calls = replicas.map(({ url }) => callOf(url, { authorization: `Bearer ${owner.token}` }));
    const answers = [];
    for (let at = 0; at < 5; at += 1) answers.push(await world.generate(owner, {}, {}, calls[at % 2]));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    const last = answers.at(-1);
    expect(last?.body.code).toBe('image_limit_reached');
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(60);
    const other = await world.owner();
    const ofOther = callOf(replicas[0]?.url ?? '', { authorization: `Bearer ${other.token}` });
    expect((await world.generate(other, {}, {}, ofOther)).status).toBe(200);
  });

  it('that no provider was paid for leave the hour as it was; those that were paid for count', async () => {
    const replica = await world.api.replica({ IMAGES_PER_HOUR: '2' });
    replicas.push(replica);
    const other = await world.owner();
    const failing = async (kind: string, one: ImageOwner, key?: string) => {
      await fault(kind);
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      const call = callOf(replica.url, { authorization: `Bearer ${one.token}` });
      const { body } = await world.generate(one, {}, headers, call);
      await world.reset();
      return body.code as string;
    };
    for (const key of [undefined, randomUUID(), undefined, randomUUID()])
      expect(await failing('policy', owner, key)).toBe('content_policy');
    for (const code of [
      'provider_response_unreadable',
      'provider_response_unreadable',
      'image_limit_reached',
    ])
      expect(await failing('half-image', owner)).toBe(code);
    // From the first one on, the breaker is open.
    for (const key of [undefined, randomUUID(), undefined, randomUUID()])
      expect(await failing('rate-limited', other, key)).toBe('provider_rate_limited');
  });

  describe('for operators', () => {
    const token = () => world.api.internalToken;
    const body = () => ({ brandId: owner.brandId, prompt: 'A harbour', width: 64, height: 64 });

    it('come by the management address, in the name of the service, with any allowed model', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const first = await internal(token(), { ...body(), model: OTHER_MODEL }, key);
      expect([first.status, first.body.model]).toEqual([200, OTHER_MODEL]);
      expect((await internal(token(), { ...body(), model: OTHER_MODEL }, key)).body).toEqual(first.body);
      expect(await world.drawn()).toBe(1);
      const registered = await world.ai.gateway.identity.registration('social-publishing');
      const { body: file } = await owner.call('GET', `/api/media/${first.body.mediaId}`);
      expect(file.createdBy).toEqual({ type: 'service', id: registered?.id });
    });

    it('are refused without the internal token, and have no public address', async () => {
      expect((await internal(undefined, body())).status).toBe(401);
      expect((await internal(owner.token, body())).status).toBe(401);
      const open = callOf(world.api.service.url, { authorization: `Bearer ${token()}` });
      expect((await open('POST', '/internal/ai/generate-image', body())).status).toBe(404);
      expect((await internal(token(), { ...body(), brandId: randomUUID() })).status).toBe(404);
      expect(await world.drawn()).toBe(0);
    });
  });

  it('are counted by outcome, and those that are not stored yet', async () => {
    const metrics = await (await fetch(`${world.api.service.managementUrl}/metrics`)).text();
    for (const outcome of ['stored', 'limited', 'provider_limited', 'refused', 'failed', 'left'])
      expect(metrics).toMatch(new RegExp(`ai_image_outcomes_total\\{.*outcome="${outcome}".*\\} [1-9]`));
    for (const gauge of ['ai_images_unfinished', 'ai_images_unfinished_oldest_seconds'])
      expect(metrics).toMatch(new RegExp(`^${gauge}(\\{.*\\})? [0-9.]+$`, 'm'));
  });

  /** Asks for a picture and closes the connection when the provider works on it. */
  async function leave({ brandId, token }: ImageOwner, headers: Record<string, string> = {}): Promise<void> {
    const client = new AbortController();
    const sent = fetch(`${world.api.service.url}/api/ai/generate-image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ brandId, prompt: 'A lighthouse at dawn', width: 64, height: 64 }),
      signal: client.signal,
    }).catch(() => undefined);
    await waitUntil(async () => (await calls('reserved')) > 0);
    client.abort();
    await sent;
  }

  /** Calls of the gateway: `reserved` while the provider works, `unknown` when they were cancelled. */
  async function calls(state: 'reserved' | 'unknown'): Promise<number> {
    const rows = await world.ai.gateway.test.database.query(
      'SELECT FROM gateway.usage WHERE organization_id = $1 AND state = $2',
      [owner.organizationId, state],
    );
    return rows.length;
  }
});

async function storedBytes(world: ImagesWorld, key: string): Promise<Buffer> {
  const object = await world.api.service.app.get(ObjectStorage, { strict: false }).get(key);
  const chunks: Buffer[] = [];
  for await (const chunk of object?.body ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
