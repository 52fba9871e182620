import type { Credentials } from '#libs/platform-client';
import { BusinessApi } from '../support/business-api.js';
import type { ApiResponse } from '../support/call.js';
import { waitUntil } from '../support/wait-until.js';

const FORGED = 400;

describe('a flood of forged credentials that identity refuses slowly', () => {
  let api: BusinessApi;
  /** Answers one that waits at identity. */
  const refusals: (() => void)[] = [];

  beforeAll(async () => {
    api = await BusinessApi.start();
    const validate = api.identity.validate.bind(api.identity);
    api.identity.validate = (credentials: Credentials) =>
      credentials.authorization?.startsWith('Bearer forged')
        ? new Promise((resolve) => refusals.push(() => resolve(null)))
        : validate(credentials);
  });
  afterAll(() => api.stop());

  it('does not delay known callers, and is refused when the queue is full', async () => {
    const caller = api.as(api.person().token);
    expect((await caller('GET', '/api/brands')).status).toBe(200);
    const answers: ApiResponse[] = [];
    const flood = Array.from({ length: FORGED }, (_, index) =>
      api
        .as(`forged${index}`)('GET', '/api/brands')
        .then((answer) => answers.push(answer)),
    );
    await waitUntil(() => answers.length >= 10, 5_000);
    for (const { status, body, headers } of answers)
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'identity_unavailable', '2']);
    for (let index = 0; index < 5; index += 1) expect((await caller('GET', '/api/brands')).status).toBe(200);
    expect(refusals).toHaveLength(32);

    await waitUntil(() => {
      for (const refuse of refusals.splice(0)) refuse();
      return answers.length === FORGED;
    });
    await Promise.all(flood);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
  });
});
