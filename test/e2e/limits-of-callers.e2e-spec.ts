import { BusinessApi } from '../support/business-api.js';

describe('the limit of a caller', () => {
  let api: BusinessApi;

  beforeAll(async () => {
    api = await BusinessApi.start({ RATE_LIMIT_PER_MINUTE: '3' });
  });
  afterAll(() => api.stop());

  it('counts requests that the caller has not the scope for', async () => {
    const { token } = api.person(undefined, ['posts.read']);
    const call = api.as(token);
    const answers = [];
    for (let index = 0; index < 4; index += 1) answers.push(await call('GET', '/api/brands'));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 429]);
    expect(answers[0]?.headers.get('www-authenticate')).toContain('insufficient_scope');
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"default";r=2;/);
  });
});
