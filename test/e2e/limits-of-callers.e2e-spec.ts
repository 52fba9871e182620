import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import type { Call } from '../support/call.js';

describe('the limit of a caller', () => {
  let api: BusinessApi;

  beforeAll(async () => {
    api = await BusinessApi.start({ RATE_LIMIT_PER_MINUTE: '3', RATE_LIMIT_PER_ORGANIZATION: '4' });
  });
  afterAll(() => api.stop());

  it('counts requests for which the caller lacks the scope', async () => {
    const { token } = api.person(undefined, ['posts.read']);
    const call = api.as(token);
    const answers = [];
    for (let index = 0; index < 4; index += 1) answers.push(await call('GET', '/api/brands'));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 429]);
    expect(answers[0]?.headers.get('www-authenticate')).toContain('insufficient_scope');
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"default";r=2;/);
  });

  it('is shared by all keys and service principals of one organization only', async () => {
    const organization = { id: randomUUID() };
    const statusOf = async (call: Call) => (await call('GET', '/api/content-ops/queue')).status;
    for (let index = 0; index < 2; index += 1) {
      expect(await statusOf(api.withKey(api.identity.apiKey({ organization })))).toBe(200);
      expect(await statusOf(api.as(api.identity.service({ organization })))).toBe(200);
    }
    expect(await statusOf(api.withKey(api.identity.apiKey({ organization })))).toBe(429);
    expect(await statusOf(api.as(api.identity.user({ organizations: [organization] })))).toBe(200);
    const another = { organization: { id: randomUUID() } };
    expect(await statusOf(api.withKey(api.identity.apiKey(another)))).toBe(200);
  });
});
