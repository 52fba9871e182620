import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { type AiWorld, completes, openAiWorld } from '../support/ai-world.js';

const HELLO = { messages: [{ role: 'user', content: 'Say hello.' }] };

describe('credentials of the platform, after a request of one organization', () => {
  let world: AiWorld;
  beforeAll(async () => {
    world = await openAiWorld();
    for (const ref of ['openai/first', 'openrouter/second']) await world.model(ref);
    for (const provider of ['openai', 'openrouter']) await world.credential({ provider });
  });
  afterAll(() => world.close());
  beforeEach(() => {
    world.openai.respond(completes('Hello.'));
    world.openrouter.respond(completes('Hi.'));
  });

  const organization = async (model: string, chain: readonly string[] = []) => {
    const organizationId = randomUUID();
    const headers = await world.gateway.headers({ organizationId });
    await world.prefer(organizationId, { default: model, chain });
    const complete = (body: object = {}) =>
      request(world.gateway.service.url)
        .post('/api/ai/completions')
        .set(headers)
        .send({ ...HELLO, ...body });
    return { complete, settled: () => world.usage(organizationId) };
  };

  it('serve others when the provider repeats its words about money in the refusal of a tool', async () => {
    const [one, other] = [await organization('openai/first'), await organization('openai/first')];
    world.openai.respond((response, { body }) => {
      const { tools } = JSON.parse(body.toString()) as { tools: [{ function: { parameters: object } }] };
      const parameters = JSON.stringify(tools[0].function.parameters);
      const error = {
        message: `Invalid schema for function 'x': ${parameters} is not valid under any of the given schemas.`,
        type: 'invalid_request_error',
        param: 'tools[0].function.parameters',
        code: 'invalid_function_parameters',
      };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const tools = [{ name: 'x', description: 'x', parameters: { type: 'key limit exceeded' } }];
    const { body } = await one.complete({ tools }).expect(422);
    expect(body.code).toBe('provider_refused_request');
    await one.settled();
    world.openai.respond(completes('Hello.'));
    await other.complete().expect(200);
  });

  it('serve others, and the request by another model, when it asks for more tokens than is left', async () => {
    const one = await organization('openrouter/second', ['openai/first']);
    const other = await organization('openrouter/second');
    world.openrouter.respond((response) => {
      const message =
        'This request requires more credits, or fewer max_tokens. You requested up to 1000000 tokens, but can only afford 5000.';
      response
        .writeHead(402, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { code: 402, message } }));
    });
    const { body } = await one.complete().expect(200);
    expect(body.attempts).toMatchObject([{ outcome: 'money' }, { outcome: 'answered' }]);
    const refused = await other.complete().expect(429);
    expect(refused.body.detail).toContain('fewer tokens');
    await Promise.all([one.settled(), other.settled()]);
    world.openrouter.respond(completes('Hi.'));
    await other.complete().expect(200);
  });
});
