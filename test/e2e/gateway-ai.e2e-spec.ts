import { randomUUID } from 'node:crypto';
import request from 'supertest';
import {
  type AiWorld,
  completes,
  delta,
  draws,
  event,
  hangsUp,
  openAiWorld,
  refuses,
  streams,
  terminal,
  transcribes,
} from '../support/ai-world.js';
import { aPicture } from '../support/pictures.js';
import { waitUntil } from '../support/wait-until.js';

const HELLO = { messages: [{ role: 'user', content: 'Say hello.' }] };

/** The events of a body. */
const eventsIn = (body: string) =>
  body
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      return [name, JSON.parse(data)] as [string, Record<string, unknown>];
    });

describe('the AI routes of the gateway', () => {
  let world: AiWorld;
  let http: ReturnType<typeof request>;
  let organizationId: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    world = await openAiWorld();
    http = request(world.gateway.service.url);
    for (const ref of ['openai/first', 'openai/dated', 'openrouter/second']) await world.model(ref);
    await world.model('openai/old', { lifecycle: 'retired' });
    await world.model('openai/per-image', { prices: { images: '0.04' } });
    await world.model('openai/per-hour', { prices: { audioHours: '0.36' } });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    organizationId = randomUUID();
    headers = await world.gateway.headers({ organizationId });
    for (const provider of ['openai', 'openrouter']) await world.credential({ provider, organizationId });
    for (const capability of ['completions', 'images', 'transcriptions'])
      await world.prefer(organizationId, {
        capability,
        default: 'openai/first',
        chain: ['openrouter/second'],
      });
    world.openai.respond(completes('Hello.'));
    world.openrouter.respond(completes('Hi.'));
  });

  const complete = (body: object = {}, more: Record<string, string> = {}) =>
    http
      .post('/api/ai/completions')
      .set({ ...headers, ...more })
      .send({ ...HELLO, ...body });
  const draw = (body: object = {}) =>
    http
      .post('/api/ai/images')
      .set(headers)
      .send({ prompt: 'A lighthouse', ...body });
  const transcribe = (file: Buffer | null, fields: Record<string, string> = {}) => {
    const sent = http.post('/api/ai/transcriptions').set(headers).field(fields);
    return file ? sent.attach('file', file, 'tone.wav') : sent.field('x', 'y');
  };
  const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(64)]);

  it('GW-01, GW-21: complete a conversation, with model, usage, cost and attempts', async () => {
    const { body, headers: sent } = await complete().expect(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      model: 'openai/first',
      requestedModel: 'openai/first',
      isFallback: false,
      provider: 'openai',
      providerModel: null,
      text: 'Hello.',
      toolCalls: [],
      finishReason: 'stop',
      usage: expect.objectContaining({ inputTokens: 500, outputTokens: 50, images: 0 }),
      cost: '0.001',
      attempts: [
        {
          ...{ provider: 'openai', model: 'first', credential: 'own', outcome: 'answered', status: 200 },
          ...{ milliseconds: expect.any(Number), cost: '0.001' },
        },
      ],
    });
    expect(sent['x-attempts']).toBe('openai/first answered');
    const [call] = world.openai.calls;
    expect(call?.headers.authorization).toBe('Bearer key of openai');
    expect(JSON.parse(String(call?.body))).toMatchObject({ model: 'first', max_completion_tokens: 4096 });
    expect(await world.usage(organizationId)).toEqual([
      { attempt: 1, model: 'first', state: 'done', cost: '1000000' },
    ]);
  });

  it('GW-01: draw whole images', async () => {
    const png = await aPicture(64, 64);
    world.openai.respond(draws(png));
    const { body } = await draw({ count: 1, width: 1024, height: 1024 }).expect(200);
    expect(body.images).toEqual([
      { data: png.toString('base64'), mediaType: 'image/png', revisedPrompt: null },
    ]);
    // One image for 0.04 and 12 tokens of input.
    expect(body).toMatchObject({
      model: 'openai/first',
      cost: '0.040012',
      usage: { images: 1, outputImageTokens: 1_056 },
    });
  });

  it('draw under a hard limit by a price per image alone', async () => {
    world.openai.respond(draws(await aPicture(64, 64)));
    await world.gateway.test.database.query(
      `INSERT INTO gateway.spend_limit
         (id, scope_type, scope_value, organization_id, period, hard, created_by)
       VALUES ($1, 'organization', $2::text, $2::uuid, 'day', 1000000000, 'a test')`,
      [randomUUID(), organizationId],
    );
    const { body } = await draw({ model: 'openai/per-image' }).expect(200);
    expect(body.cost).toBe('0.04');
    expect(await world.usage(organizationId)).toMatchObject([{ state: 'done', cost: '40000000' }]);
  });

  it('GW-21: write down what a recording says', async () => {
    world.openai.respond(transcribes('Thank you for calling.'));
    const { body } = await transcribe(wav, { language: 'en' }).expect(200);
    expect(body).toMatchObject({
      text: 'Thank you for calling.',
      usage: { audioSeconds: 10 },
      cost: '0.001',
    });
    expect(String(world.openai.calls[0]?.body)).toContain('filename="audio.wav"');
  });

  it.each<[string, object, string]>([
    ['no messages', { messages: [] }, '#/messages'],
    ['an empty prompt', { messages: [{ role: 'user', content: ' ' }] }, '#/messages/0/content'],
    ['an unknown role', { messages: [{ role: 'system', content: 'x' }] }, '#/messages/0/role'],
    [
      'an image of the assistant',
      {
        messages: [{ role: 'assistant', content: [{ type: 'image', mediaType: 'image/png', data: 'QUJD' }] }],
      },
      '#/messages/0/content',
    ],
    ['no tokens', { maxTokens: 0 }, '#/maxTokens'],
    ['a model without provider', { model: 'first' }, '#/model'],
    ['a tool with spaces', { tools: [{ name: 'a b', description: '', parameters: {} }] }, '#/tools/0/name'],
    ['an unknown choice', { toolChoice: 'maybe' }, '#/toolChoice'],
    ['an unknown field', { n: 2 }, '#/n'],
  ])('GW-01: refuse %s before any call', async (_, change, pointer) => {
    const { body } = await complete(change).expect(400);
    expect(body.errors).toContainEqual(expect.objectContaining({ pointer }));
    expect(world.openai.calls).toEqual([]);
  });

  it.each<[string, Buffer | null, Record<string, string>, number, string]>([
    ['no file', null, {}, 400, 'file_missing'],
    ['a file that is no audio', Buffer.from('hello'), {}, 415, 'audio_not_supported'],
    ['an unknown language', wav, { language: 'English' }, 400, 'validation_failed'],
  ])('GW-01: refuse a recording with %s', async (_, file, fields, status, code) => {
    const { body } = await transcribe(file, fields).expect(status);
    expect(body.code).toBe(code);
    expect(world.openai.calls).toEqual([]);
  });

  it('GW-18: a hard limit holds for concurrent recordings of the lowest rate of speech', async () => {
    const seconds = 10_000;
    const speech = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(seconds * 750 - 4)]);
    world.openai.respond((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ text: '', usage: { type: 'duration', seconds } }));
    });
    const token = world.gateway.identity.user({
      organizations: [{ id: organizationId, role: 'owner', scopes: ['limits.manage'] }],
    });
    await http
      .post('/api/limits')
      .set({ authorization: `Bearer ${token}` })
      .send({ scopeType: 'organization', period: 'day', hard: '2.5' })
      .expect(201);
    const recordings = Array.from({ length: 5 }, () => transcribe(speech, { model: 'openai/per-hour' }));
    const statuses = (await Promise.all(recordings)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 429, 429, 429]);
    const costs = (await world.usage(organizationId)).map(({ cost }) => Number(cost));
    expect(costs).toEqual([1_000_000_000, 1_000_000_000]);
  });

  describe('continue in the fallback chain', () => {
    it('GW-24: after a raw 429 of the provider of images', async () => {
      const png = await aPicture(64, 64);
      await world.gateway.test.database.query(
        `UPDATE gateway.model_preference SET fallback_chain = '{openai/dated}' WHERE organization_id = $1`,
        [organizationId],
      );
      world.openai.respond(refuses(429, 'rate_limit_exceeded', { 'retry-after': '40' }), draws(png));
      const { body, headers: sent } = await draw().expect(200);
      expect(body).toMatchObject({
        model: 'openai/dated',
        requestedModel: 'openai/first',
        isFallback: true,
        attempts: [{ outcome: 'rate', status: 429 }, {}],
      });
      expect(sent['x-attempts']).toBe('openai/first rate, openai/dated answered');
    });

    it('GW-24: and answer 429 with the least Retry-After when all limit, never 500', async () => {
      world.openai.respond(refuses(429, 'rate_limit_exceeded', { 'retry-after': '60' }));
      world.openrouter.respond(refuses(429, 'rate_limit_exceeded', { 'retry-after': '30' }));
      const { body, headers: sent } = await complete({ timeoutMs: 2_000 }).expect(429);
      expect([body.code, sent['retry-after']]).toEqual(['provider_rate_limited', '30']);
      expect(body.attempts).toHaveLength(2);
    });

    it('and answer 429 without Retry-After when no provider gives one', async () => {
      world.openai.respond(refuses(429, 'rate_limit_exceeded'));
      world.openrouter.respond(refuses(429, 'rate_limit_exceeded'));
      const { headers: without } = await complete().expect(429);
      expect(without).not.toHaveProperty('retry-after');
    });

    it('after a request that one model does not take', async () => {
      world.openai.respond(refuses(400, 'unsupported_value'));
      world.openrouter.respond(completes('Hello.'));
      const { body } = await complete().expect(200);
      expect(body).toMatchObject({
        text: 'Hello.',
        isFallback: true,
        attempts: [{ outcome: 'invalid', status: 400, cost: '0' }, { outcome: 'answered' }],
      });
    });

    it('not with a model whose window is not larger, and name the refusal of the length', async () => {
      world.openai.respond(refuses(400, 'context_length_exceeded'));
      const { body } = await complete().expect(422);
      expect(body).toMatchObject({
        status: 422,
        code: 'context_too_long',
        attempts: [{ outcome: 'too-long' }],
      });
      expect(body.detail).toMatch(/Shorten the input/);
      expect(world.openrouter.calls).toEqual([]);
    });

    it('and wait for a model with a larger window after a refusal of the length', async () => {
      const { database } = world.gateway.test;
      await database.query(`UPDATE gateway.model SET context_window = 1000000 WHERE id = 'first'`);
      const limit = refuses(429, 'rate_limit_exceeded', { 'retry-after': '1' });
      world.openai.respond(limit, completes('Hello.'));
      world.openrouter.respond(refuses(400, 'context_length_exceeded'));
      const { body } = await complete().expect(200);
      expect(body.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
        ...['rate', 'too-long', 'answered'],
      ]);
      await database.query(`UPDATE gateway.model SET context_window = 100000 WHERE id = 'first'`);
    });

    it.each<[string, Parameters<AiWorld['openai']['respond']>[0], string]>([
      ['an error of the provider', refuses(500, 'server_error'), 'overload'],
      ['an error inside a 200', (response) => response.end('{"error":{"message":"x","code":502}}'), ''],
      ['half an answer', (response) => void response.end('{"choices":[{"mess'), 'unreadable'],
      ['a connection that ends', hangsUp, 'no-answer'],
      ['a model that is gone', refuses(404, 'model_not_found'), 'model'],
    ])('after %s', async (_, fault, outcome) => {
      world.openai.respond(fault);
      const { body } = await complete().expect(200);
      expect(body).toMatchObject({ text: 'Hi.', model: 'openrouter/second' });
      if (outcome) expect(body.attempts[0].outcome).toBe(outcome);
    });

    it('not after a refusal of the content, unless the chain says so', async () => {
      world.openai.respond(refuses(400, 'content_policy_violation'));
      const { body } = await complete().expect(422);
      expect([body.code, world.openrouter.calls.length]).toEqual(['content_policy', 0]);
      await world.gateway.test.database.query(
        `UPDATE gateway.model_preference SET fallback_on_policy = true WHERE organization_id = $1`,
        [organizationId],
      );
      await complete().expect(200);
    });

    it('not after a refused key', async () => {
      world.openai.respond(refuses(401, 'invalid_api_key'));
      const { body } = await complete().expect(502);
      expect([body.code, world.openrouter.calls.length]).toEqual(['provider_credential', 0]);
    });
  });

  describe('choose the model', () => {
    it('of the request, once', async () => {
      const { body } = await complete({ model: 'openrouter/second' }).expect(200);
      expect(body.model).toBe('openrouter/second');
      expect((await complete().expect(200)).body.model).toBe('openai/first');
    });

    it.each<[string, string]>([
      ['openai/old', 'model_retired'],
      ['openai/none', 'model_not_found'],
      ['openai/first', ''],
    ])('and refuse %s when it is not usable', async (model, code) => {
      const { body, status } = await complete({ model });
      expect([status, body.code ?? '']).toEqual([code ? 422 : 200, code]);
    });
  });

  describe('let a person', () => {
    const by = (scopes: string[], model: string) => {
      const token = world.gateway.identity.user({ organizations: [{ id: organizationId, scopes }] });
      return http
        .post('/api/ai/completions')
        .set({ authorization: `Bearer ${token}`, 'x-organization-id': organizationId })
        .send({ ...HELLO, model });
    };

    it('without org.admin name the default, and no other model', async () => {
      const { body } = await by(['ai.invoke'], 'openrouter/second').expect(403);
      expect([body.code, world.openai.calls, world.openrouter.calls]).toEqual([
        ...['model_override_not_permitted', [], []],
      ]);
      await by(['ai.invoke'], 'openai/first').expect(200);
    });

    it('with org.admin choose the model', async () => {
      const { body } = await by(['ai.invoke', 'org.admin'], 'openrouter/second').expect(200);
      expect(body.model).toBe('openrouter/second');
    });
  });

  describe('hold back a credential', () => {
    const breakers = async () => {
      const rows = await world.gateway.test.database.query<{ breaker_reason: string }>(
        `SELECT breaker_reason FROM gateway.credential WHERE organization_id = $1 AND breaker_open_until = 'infinity'`,
        [organizationId],
      );
      return rows.map(({ breaker_reason: reason }) => reason);
    };

    it('without money until a check succeeds, on every replica, and fall back meanwhile', async () => {
      world.openai.respond(refuses(429, 'insufficient_quota'));
      expect((await complete().expect(200)).body.attempts).toMatchObject([{ outcome: 'money' }, {}]);
      await waitUntil(async () => (await breakers()).includes('money'));
      const replica = await world.gateway.replica();
      world.openai.respond(completes('Hello.'));
      const send = () => request(replica.url).post('/api/ai/completions').set(headers).send(HELLO);
      const { body } = await send().expect(200);
      expect(body.attempts).toMatchObject([{ provider: 'openrouter' }]);
      expect(world.openai.calls).toEqual([]);
      const alarms = await world.gateway.test.database.query(
        `SELECT actor_type, details FROM gateway.audit WHERE action = 'credential_out_of_money' AND organization_id = $1`,
        [organizationId],
      );
      expect(alarms).toEqual([{ actor_type: 'system', details: { provider: 'openai' } }]);
    });
  });

  describe('stream', () => {
    const stream = (body: object = {}) => complete({ stream: true, ...body });

    it('content as it comes, then an end with usage, cost and attempts', async () => {
      world.openai.respond(streams(delta('Hel'), delta('lo'), terminal));
      const response = await stream()
        .expect(200)
        .expect('content-type', /^text\/event-stream/);
      const events = eventsIn(response.text);
      expect(events.map(([name]) => name)).toEqual(['delta', 'delta', 'end']);
      expect(response.headers['x-attempts']).toBe('openai/first begun');
      expect(events[2]?.[1]).toMatchObject({
        ...{ finishReason: 'stop', model: 'openai/first', cost: '0.001' },
        attempts: [{ outcome: 'answered' }],
      });
      expect(await world.usage(organizationId)).toMatchObject([{ state: 'done', cost: '1000000' }]);
    });

    it('from another model when the first one fails before content', async () => {
      const role = event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });
      world.openai.respond(streams(role, event({ error: { message: 'x', code: 'server_error' } })));
      world.openrouter.respond(streams(delta('Hi.'), terminal));
      const response = await stream().expect(200);
      expect(response.headers['x-attempts']).toMatch(/^(openai\/first overload, )+openrouter\/second begun$/);
      const events = eventsIn(response.text);
      expect(events.map(([name]) => name)).toEqual(['delta', 'end']);
      expect(events[1]?.[1]).toMatchObject({ model: 'openrouter/second' });
    });

    it('an error when it is cut, also within a character, and never a clean end', async () => {
      const euro = Buffer.from(delta('€'));
      const half = euro.subarray(0, euro.indexOf(0x82) + 1);
      world.openai.respond(streams(delta('Hel'), half));
      const events = eventsIn((await stream().expect(200)).text);
      expect(events.map(([name]) => name)).toEqual(['delta', 'error']);
      expect(events[1]?.[1]).toMatchObject({ status: expect.any(Number), attempts: [{}] });
      expect(await world.usage(organizationId)).toMatchObject([{ state: 'estimated' }]);
    });

    it('nothing when every provider fails before content: the status says so', async () => {
      world.openai.respond(refuses(400, 'content_policy_violation'));
      expect((await stream().expect(422)).body.code).toBe('content_policy');
    });

    it('not with an Idempotency-Key', async () => {
      const sent = complete({ stream: true }, { 'idempotency-key': randomUUID() });
      expect((await sent.expect(400)).body.code).toBe('idempotency_key_with_stream');
    });
  });

  describe('check the schema of a response', () => {
    const asking = (schema: object) => complete({ responseSchema: { name: 'result', schema } });

    it('and call the next model for a text that does not fit', async () => {
      world.openrouter.respond(completes('1'));
      expect((await asking({ type: 'number' }).expect(200)).body).toMatchObject({
        text: '1',
        attempts: [{ outcome: 'unreadable' }, { outcome: 'answered' }],
      });
    });

    it('and return a text whose check does not end as the model wrote it', async () => {
      const lists = { type: 'array', items: { $ref: '#/$defs/a' } };
      world.openai.respond(completes(`${'['.repeat(60)}1${']'.repeat(60)}`));
      const schema = { $defs: { a: { anyOf: [lists, lists] } }, $ref: '#/$defs/a' };
      expect((await asking(schema).expect(200)).body.attempts).toMatchObject([{ outcome: 'answered' }]);
    });

    it('of 250000 characters, and refuse a larger one', async () => {
      const schemaOf = (characters: number) => ({ description: 'x'.repeat(characters - 18) });
      world.openai.respond(completes('1'));
      await asking(schemaOf(250_000)).expect(200);
      expect((await asking(schemaOf(250_001)).expect(400)).body.errors).toEqual([
        {
          pointer: '#/responseSchema/schema',
          code: 'too_long',
          detail: 'must have at most 250000 characters as JSON',
        },
      ]);
    });
  });

  it('an Idempotency-Key calls the provider once, over two replicas', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await complete({}, key).expect(200);
    const replica = await world.gateway.replica();
    const again = await request(replica.url)
      .post('/api/ai/completions')
      .set({ ...headers, ...key })
      .send(HELLO)
      .expect(200)
      .expect('idempotent-replayed', 'true');
    expect(again.body).toEqual(first.body);
    expect(again.headers['x-attempts']).toBe('openai/first answered');
    expect(world.openai.calls).toHaveLength(1);
    await complete({ maxTokens: 5 }, key).expect(422);
  });

  it('an Idempotency-Key keeps no refusal about configuration', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const other = randomUUID();
    headers = await world.gateway.headers({ organizationId: other });
    expect((await complete({}, key).expect(422)).body.code).toBe('no_model_configured');
    await world.prefer(other, { default: 'openai/first' });
    expect((await complete({}, key).expect(422)).body.code).toBe('no_credential');
    await world.credential({ provider: 'openai', organizationId: other });
    expect((await complete({}, key).expect(200)).headers).not.toHaveProperty('idempotent-replayed');
  });

  it('an Idempotency-Key keeps the attempts of a final refusal', async () => {
    const key = { 'idempotency-key': randomUUID() };
    world.openai.respond(refuses(400, 'content_policy_violation'));
    for (const _ of [1, 2]) {
      const { headers: sent } = await complete({}, key).expect(422);
      expect(sent['x-attempts']).toBe('openai/first policy');
    }
    expect(world.openai.calls).toHaveLength(1);
  });
});
