import { BusinessApi } from '../support/business-api.js';
import { fuzz } from '../support/fuzz.js';
import { bearer, Walk } from '../support/walk.js';

describe('whatever a caller sends to the business API', () => {
  let api: BusinessApi;

  beforeAll(async () => {
    api = await BusinessApi.start({ X_CLIENT_ID: 'client', X_CLIENT_SECRET: 'secret' });
  });
  afterAll(() => api.stop());

  /** Things of its own for each operation: some of the requests are good ones and delete them. */
  const walkOfSomebody = async () => {
    const { token, organizationId } = api.person();
    const person = api.as(token);
    const brandId = (await person('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    const post = { brandId, platform: 'x', text: 'Text', origin: 'suggestion' };
    const contentId = (await person('POST', '/api/posts', post)).body.id as string;
    return {
      token,
      walk: await Walk.through(api.service.url, person, { brandId, contentId, organizationId }),
    };
  };

  it('is answered as the document says, and never a fault of the service', async () => {
    const seen = new Map<number, number>();
    const { walk } = await walkOfSomebody();
    for (const operation of walk.served.operations) {
      const { token, walk } = await walkOfSomebody();
      for (const status of await fuzz(walk, operation, bearer(token)))
        seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    const [good, refused] = [
      [200, 201, 204],
      [400, 404],
    ].map((some) => some.reduce((sum, status) => sum + (seen.get(status) ?? 0), 0));
    // Neither only garbage nor only good requests.
    expect(good).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
  });
});
