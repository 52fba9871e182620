import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import request from 'supertest';
import { type AiWorld, completes, delta, openAiWorld, refuses, terminal } from '../support/ai-world.js';
import { waitUntil } from '../support/wait-until.js';

const HELLO = { messages: [{ role: 'user', content: 'Say hello.' }] };
const MAX_STREAMS = 3;

describe('AI routes on bad days', () => {
  let world: AiWorld;
  let organizationId: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    world = await openAiWorld({ AI_MAX_STREAMS: String(MAX_STREAMS) });
    for (const ref of ['openai/first', 'openai/third', 'openrouter/second']) await world.model(ref);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    organizationId = randomUUID();
    headers = await world.gateway.headers({ organizationId });
    await world.prefer(organizationId, { default: 'openai/first' });
    world.openai.respond(completes('Hello.'));
    world.openrouter.respond(completes('Hi.'));
  });

  const own = (provider: string) => world.credential({ provider, organizationId });
  const complete = (url = world.gateway.service.url) =>
    request(url).post('/api/ai/completions').set(headers).send(HELLO);
  const send = (body: object, signal?: AbortSignal, more: Record<string, string> = {}) =>
    fetch(`${world.gateway.service.url}/api/ai/completions`, {
      method: 'POST',
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      body: JSON.stringify({ ...HELLO, ...body }),
      signal,
    });
  /** Responses that wait for the test. */
  const held = () => {
    const waiting: ServerResponse[] = [];
    world.openai.respond((response) => void waiting.push(response));
    return waiting;
  };
  /** With the breaker of openai/first. */
  const credential = async (id: string) => {
    const [row] = await world.gateway.test.database.query<{
      open: boolean;
      failures: number;
      failing: boolean;
    }>(
      `SELECT coalesce(c.breaker_open_until > now() OR b.open_until > now(), false) AS open,
              c.breaker_failures + coalesce(b.failures, 0) AS failures, c.failing_since IS NOT NULL AS failing
         FROM gateway.credential c LEFT JOIN gateway.model_breaker b ON b.credential_id = c.id AND b.model = 'first'
        WHERE c.id = $1`,
      [id],
    );
    return row;
  };

  it('end the call to the provider when the caller leaves, and keep its estimate', async () => {
    const id = await own('openai');
    const waiting = held();
    const caller = new AbortController();
    const sent = send({}, caller.signal).catch(() => undefined);
    await waitUntil(() => waiting.length > 0);
    const closed = new Promise((resolve) => waiting[0]?.once('close', resolve));
    caller.abort();
    await closed;
    await sent;
    expect(await world.usage(organizationId)).toMatchObject([{ state: 'unknown', cost: null }]);
    expect(await credential(id)).toEqual({ open: false, failures: 0, failing: false });
  });

  it('finish a call with a key without its caller, and replay its response', async () => {
    await own('openai');
    const waiting = held();
    const caller = new AbortController();
    const key = { 'idempotency-key': randomUUID() };
    const sent = send({}, caller.signal, key).catch(() => undefined);
    await waitUntil(() => waiting.length > 0);
    caller.abort();
    await sent;
    completes('Done.')(waiting[0] as ServerResponse, world.openai.calls[0] as never);
    await waitUntil(async () => (await world.usage(organizationId))[0]?.state === 'done');
    await waitUntil(async () => (await send({}, undefined, key)).status === 200);
    const again = await send({}, undefined, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toMatchObject({ text: 'Done.' });
    expect(world.openai.calls).toHaveLength(1);
  });

  it.each([
    ['openai/gpt-4o-mini', 'by what arrived', false],
    ['openai/first', 'by its reservation, because hidden reasoning is billed', true],
  ])('settle a stream of %s %s when the caller leaves, and free its slot', async (model, _, isWhole) => {
    await own('openai');
    const waiting = held();
    const caller = new AbortController();
    const sent = send({ stream: true, model }, caller.signal);
    await waitUntil(() => waiting.length > 0);
    waiting[0]?.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('Hello'));
    const { body } = await sent;
    await body?.getReader().read();
    const closed = new Promise((resolve) => waiting[0]?.once('close', resolve));
    caller.abort();
    await closed;
    expect(await world.usage(organizationId)).toMatchObject([{ state: 'estimated' }]);
    const [row] = await world.gateway.test.database.query(
      'SELECT cost = estimate AS whole FROM gateway.usage WHERE organization_id = $1',
      [organizationId],
    );
    expect(row).toEqual({ whole: isWhole });
  });

  it('refuse a stream beyond the maximum with 429, and take it when one has ended', async () => {
    await own('openai');
    const waiting = held();
    const open = Array.from({ length: MAX_STREAMS }, () => send({ stream: true }));
    await waitUntil(() => waiting.length === MAX_STREAMS);
    const refused = await send({ stream: true });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({ code: 'too_many_streams' });
    for (const response of waiting)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(delta('x') + terminal);
    for (const each of open) expect(await (await each).text()).toContain('event: end');
    world.openai.respond((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(delta('x') + terminal),
    );
    expect((await send({ stream: true })).status).toBe(200);
  });

  it('refuse a whole completion beyond the same maximum with 429, and take it when one has ended', async () => {
    await own('openai');
    const waiting = held();
    const open = Array.from({ length: MAX_STREAMS }, () => send({}));
    await waitUntil(() => waiting.length === MAX_STREAMS);
    const refused = await send({});
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({ code: 'too_many_calls' });
    expect(await (await send({ stream: true })).json()).toMatchObject({ code: 'too_many_streams' });
    for (const response of waiting) completes('Hello.')(response, world.openai.calls[0] as never);
    for (const each of open) expect((await each).status).toBe(200);
    world.openai.respond(completes('Hello.'));
    expect((await send({})).status).toBe(200);
  });

  it('hold a model back after five overloads in a row, and let one replica probe it', async () => {
    const id = await own('openai');
    world.openai.respond(refuses(503, 'server_is_overloaded', { 'retry-after': '0.01' }));
    for (let call = 0; call < 3; call += 1) await complete().expect(503);
    await waitUntil(async () => (await credential(id))?.open ?? false);
    const asked = world.openai.calls.length;
    const { body, headers: sent } = await complete().expect(503);
    expect([body.code, body.attempts, world.openai.calls.length]).toEqual(['provider_overloaded', [], asked]);
    expect(Number(sent['retry-after'])).toBeGreaterThan(20);

    const others = await send({ model: 'openai/third' });
    expect([others.status, world.openai.calls.length > asked]).toEqual([503, true]);

    await world.gateway.test.database.query(
      `UPDATE gateway.model_breaker SET open_until = now() WHERE credential_id = $1`,
      [id],
    );
    const replica = await world.gateway.replica();
    const waiting = held();
    const both = [complete(), complete(replica.url)].map((each) => each.then(({ status }) => status));
    expect(await Promise.race(both)).toBe(503);
    await waitUntil(() => waiting.length > 0);
    completes('Back.')(waiting[0] as ServerResponse, world.openai.calls[0] as never);
    expect((await Promise.all(both)).sort()).toEqual([200, 503]);
    expect(world.openai.calls).toHaveLength(1);
    world.openai.respond(completes('Hello.'));
    await waitUntil(async () => (await credential(id))?.open === false);
    await complete().expect(200);
  });

  it('after a check of a credential without money, one call of all replicas tries it, and its money decides', async () => {
    const id = await own('openai');
    const stored = async () => {
      const [row] = await world.gateway.test.database.query<{ until: string | null; reason: string | null }>(
        `SELECT breaker_open_until::text AS until, breaker_reason AS reason FROM gateway.credential WHERE id = $1`,
        [id],
      );
      return row;
    };
    const outOfMoney = { until: 'infinity', reason: 'money' };
    world.openai.respond(refuses(429, 'insufficient_quota'));
    expect((await complete().expect(429)).body.code).toBe('provider_out_of_money');
    await waitUntil(async () => (await stored())?.until === 'infinity');
    const scopes = ['provider_credentials.manage'];
    const manager = world.gateway.identity.user({ organizations: [{ id: organizationId, scopes }] });
    const check = async () => {
      world.openai.respond((response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}'),
      );
      const { body } = await request(world.gateway.service.url)
        .post(`/api/credentials/${id}/check`)
        .set('authorization', `Bearer ${manager}`)
        .expect(200);
      expect(body.checkResult).toMatchObject({ outcome: 'works' });
    };

    await check();
    world.openai.respond(refuses(402, 'insufficient_quota'));
    const replica = await world.gateway.replica();
    const both = await Promise.all([complete().expect(429), complete(replica.url).expect(429)]);
    expect(world.openai.calls).toHaveLength(1);
    expect(both.map(({ body }) => body.code)).toEqual(['provider_out_of_money', 'provider_out_of_money']);
    await waitUntil(async () => (await stored())?.until === 'infinity');
    expect(await stored()).toEqual(outOfMoney);

    await check();
    world.openai.respond(completes('Paid.'));
    await complete().expect(200);
    await waitUntil(async () => (await stored())?.until === null);
    expect(await stored()).toEqual({ until: null, reason: null });
  });

  it('tell governance of a model that its provider does not have', async () => {
    await own('openai');
    const scopes = ['org.admin'];
    const admin = world.gateway.identity.user({ organizations: [{ id: organizationId, scopes }] });
    const refusedAt = async () => {
      const { body } = await request(world.gateway.service.url)
        .get('/api/models/governance')
        .set('authorization', `Bearer ${admin}`)
        .expect(200);
      const models = body.lifecycle as { model: string; refusedAt: string | null }[];
      return models.find(({ model }) => model === 'openai/first')?.refusedAt;
    };
    await complete().expect(200);
    expect(await refusedAt()).toBeNull();
    world.openai.respond(refuses(404, 'model_not_found'));
    await complete().expect(422);
    await waitUntil(async () => typeof (await refusedAt()) === 'string');
  });

  it.each([
    ['a model that the provider does not have', 404, 'model_not_found', 'model_not_found'],
    ['a request that the provider refuses', 400, 'invalid_value', 'provider_refused_request'],
  ])('never hold a credential back for %s', async (_, status, code, problem) => {
    const id = await own('openai');
    world.openai.respond(refuses(status, code));
    for (let call = 0; call < 6; call += 1) expect((await complete().expect(422)).body.code).toBe(problem);
    await world.usage(organizationId);
    expect(await credential(id)).toEqual({ open: false, failures: 0, failing: false });
    world.openai.respond(completes('Hello.'));
    await complete().expect(200);
  });

  it('are refused with a credential that cannot be decrypted, which is marked; another one serves them', async () => {
    const id = await own('openai');
    await world.credential({ provider: 'openai', secret: 'key of the platform' });
    await world.gateway.test.database.query(
      `UPDATE gateway.credential SET secret = overlay(secret placing 'AAAA' from 20) WHERE id = $1`,
      [id],
    );
    const { body } = await complete().expect(502);
    expect([body.code, body.attempts, world.openai.calls]).toEqual(['provider_credential', [], []]);
    expect((await credential(id))?.failing).toBe(true);
    await own('openai');
    await complete().expect(200);
    await world.gateway.test.database.query(`DELETE FROM gateway.credential WHERE organization_id IS NULL`);
  });

  it('mark a refused key, and use another one of the organization from then on', async () => {
    const [refusedKey, other] = [await own('openai'), await own('openai')];
    world.openai.respond(refuses(401, 'invalid_api_key'), completes('Hello.'));
    expect((await complete().expect(200)).body.attempts).toMatchObject([{ outcome: 'credential' }, {}]);
    await waitUntil(async () => (await credential(refusedKey))?.failing ?? false);
    expect((await complete().expect(200)).body.attempts).toHaveLength(1);
    expect((await credential(other))?.failing).toBe(false);
  });

  it('never use the account of the platform in place of an own one', async () => {
    await own('openai');
    await world.credential({ provider: 'openai', secret: 'key of the platform' });
    world.openai.respond(refuses(429, 'insufficient_quota'));
    for (let call = 0; call < 2; call += 1) {
      const { body, headers: sent } = await complete().expect(429);
      expect([body.code, sent['retry-after']]).toEqual(['provider_out_of_money', undefined]);
      await world.usage(organizationId);
    }
    expect(world.openai.calls.map(({ headers: { authorization } }) => authorization)).not.toContain(
      'Bearer key of the platform',
    );
    await world.gateway.test.database.query(`DELETE FROM gateway.credential WHERE organization_id IS NULL`);
  });

  it('finish a call whose credential is deleted meanwhile, and refuse the next one', async () => {
    const id = await own('openai');
    const waiting = held();
    const running = complete().then(({ status }) => status);
    await waitUntil(() => waiting.length > 0);
    await world.gateway.test.database.query(
      `UPDATE gateway.credential SET deleted_at = now(), secret = '', data_key = '' WHERE id = $1`,
      [id],
    );
    completes('Hello.')(waiting[0] as ServerResponse, world.openai.calls[0] as never);
    expect(await running).toBe(200);
    expect(await world.usage(organizationId)).toMatchObject([{ state: 'done' }]);
    expect((await complete().expect(422)).body.code).toBe('no_credential');
  });

  it.each([
    ['deleted', `deleted_at = now(), secret = '', data_key = ''`],
    ['disabled', 'enabled = false'],
    ['rotated', `secret = 'another', data_key = 'key'`],
  ])('use no fallback whose credential is %s during the first attempt', async (_, change) => {
    await own('openai');
    const fallback = await own('openrouter');
    await world.gateway.test.database.query(
      `UPDATE gateway.model_preference SET fallback_chain = '{openrouter/second}' WHERE organization_id = $1`,
      [organizationId],
    );
    const waiting = held();
    const running = complete().then(({ body }) => body as { code: string; attempts: object[] });
    await waitUntil(() => waiting.length > 0);
    await world.gateway.test.database.query(`UPDATE gateway.credential SET ${change} WHERE id = $1`, [
      fallback,
    ]);
    refuses(429, 'rate_limit_exceeded')(waiting[0] as ServerResponse, world.openai.calls[0] as never);
    expect(await running).toMatchObject({ code: 'provider_rate_limited', attempts: [{ outcome: 'rate' }] });
    expect(world.openrouter.calls).toEqual([]);
    expect(await world.usage(organizationId)).toHaveLength(1);
  });

  it('hold a model back as long as its provider says, from the first rate limit on', async () => {
    await own('openai');
    world.openai.respond(refuses(429, 'rate_limit_exceeded', { 'retry-after': '50' }));
    await send({ timeoutMs: 1_000 });
    await waitUntil(async () => (await complete()).body.attempts.length === 0);
    const asked = world.openai.calls.length;
    const { body, headers: sent } = await complete().expect(429);
    expect([body.code, body.attempts, world.openai.calls.length]).toEqual([
      'provider_rate_limited',
      [],
      asked,
    ]);
    expect(Number(sent['retry-after'])).toBeGreaterThan(30);
    expect((await send({ model: 'openai/third', timeoutMs: 1_000 })).status).toBe(429);
    expect(world.openai.calls.length).toBe(asked + 1);
  });

  it('are priced as of the start of the request when prices change during it', async () => {
    await own('openai');
    const waiting = held();
    const running = complete().then(({ body }) => body.cost as string);
    await waitUntil(() => waiting.length > 0);
    await world.gateway.test.database.query(
      `INSERT INTO gateway.model_price (provider, model, starts_at, prices, source)
       VALUES ('openai', 'first', now(), '{"inputTokens":"100","outputTokens":"1000"}', 'operator')`,
    );
    completes('Hello.')(waiting[0] as ServerResponse, world.openai.calls[0] as never);
    expect(await running).toBe('0.001');
    world.openai.respond(completes('Hello.'));
    expect((await complete().expect(200)).body.cost).toBe('0.1');
    await world.gateway.test.database.query(
      `DELETE FROM gateway.model_price WHERE model = 'first' AND starts_at > '2026-01-01'`,
    );
  });

  it('end at the deadline of the request, and the provider is not blamed for it', async () => {
    const id = await own('openai');
    held();
    const response = await send({ timeoutMs: 1_000 });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      504,
      'provider_no_answer',
    ]);
    expect(await world.usage(organizationId)).toMatchObject([{ state: 'unknown', cost: null }]);
    expect((await credential(id))?.failures).toBe(0);
  });

  it('end the stream of a caller that does not read when its time is over, and free its slot', async () => {
    await own('openai');
    world.openai.respond((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = (): void => {
        if (!response.destroyed && response.write(delta('x'.repeat(16_000)))) setImmediate(write);
        else response.once('drain', write);
      };
      write();
    });
    const callers = new AbortController();
    const stuck = Array.from({ length: MAX_STREAMS }, () =>
      send({ stream: true, timeoutMs: 1_000 }, callers.signal),
    );
    expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await send({ stream: true })).status).toBe(429);
    await waitUntil(
      async () => (await world.usage(organizationId)).every(({ state }) => state !== 'reserved'),
      30_000,
    );
    world.openai.respond(completes('Hello.'));
    await complete().expect(200);
    // A connection with unread bytes stays open on this side.
    callers.abort();
  });

  it('are refused while identity cannot be asked, and call no provider', async () => {
    await own('openai');
    const replica = await world.gateway.replica();
    world.gateway.identity.goDown();
    const { body } = await complete(replica.url).expect(503);
    world.gateway.identity.comeBack();
    expect([body.code, world.openai.calls]).toEqual(['identity_unavailable', []]);
  });
});
