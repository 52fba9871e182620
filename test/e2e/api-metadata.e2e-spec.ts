import { BusinessApi } from '../support/business-api.js';
import { ask } from '../support/call.js';
import { Documented } from '../support/documented.js';

describe('system routes', () => {
  let api: BusinessApi;
  let documented: Documented;
  beforeAll(async () => {
    api = await BusinessApi.start();
    documented = await Documented.by(api.service.url);
  });
  afterAll(() => api.stop());

  it('GET /api lists every endpoint without credentials', async () => {
    const answer = await api.as()('GET', '/api');
    expect(answer.status).toBe(200);
    documented.check('get /api', answer);
    const { endpoints, ...rest } = answer.body;
    expect(rest).toEqual({
      ...{ name: 'Business API', version: '1.0.0', openapi: '/openapi.json' },
      ...{ documentation: '/docs', health: '/health' },
    });
    const named = endpoints.map(
      (one: { method: string; path: string }) => `${one.method.toLowerCase()} ${one.path}`,
    );
    expect(named).toEqual(documented.operations);
    expect(endpoints).toContainEqual({
      ...{ method: 'GET', path: '/api/contacts/{id}', operationId: 'getContact' },
      ...{ summary: 'Get a contact', group: 'Contacts' },
    });
    expect(answer.text).not.toContain('/internal');
    for (const path of [rest.openapi, rest.documentation, rest.health])
      expect((await ask(`${api.service.url}${path}`, {})).status).toBe(200);
  });

  it('has no billing, referrals or rewards: 404 for everybody, in the words of every unknown route', async () => {
    const owner = api.as(api.person().token);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
      for (const path of ['billing', 'referrals', 'rewards', 'subscription-rewards', 'billing/invoices']) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const answer = await owner(method, `/api/${path}`, body);
        expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'not_found']);
      }
    expect(documented.operations.filter((operation) => /billing|referral|reward/.test(operation))).toEqual(
      [],
    );
  });

  it('GET /health contains the time', async () => {
    const answer = await api.as()('GET', '/health');
    documented.check('get /health', answer);
    expect(answer.status).toBe(200);
    expect(new Date(answer.body.timestamp).toISOString()).toBe(answer.body.timestamp);
  });

  it('GET /health and /readyz answer 503 without the database, and /healthz still 200', async () => {
    const other = await BusinessApi.start();
    try {
      const call = other.as();
      await other.test.drop();
      for (const [path, status] of [
        ['/health', 503],
        ['/readyz', 503],
        ['/healthz', 200],
      ] as const) {
        const answer = await call('GET', path);
        documented.check(`get ${path}`, answer);
        expect([path, answer.status]).toEqual([path, status]);
      }
    } finally {
      await other.stop();
    }
  });
});
