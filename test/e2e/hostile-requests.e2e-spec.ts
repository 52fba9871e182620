import { BusinessApi } from '../support/business-api.js';
import { fuzz } from '../support/fuzz.js';
import { bearer, Walk } from '../support/walk.js';

/** Only ends a run that hangs: a run is hundreds of requests. */
const BY_ITSELF_MS = 400_000;

describe('whatever a caller sends to the business API', () => {
  let api: BusinessApi;

  beforeAll(async () => {
    api = await BusinessApi.start({ X_CLIENT_ID: 'client', X_CLIENT_SECRET: 'secret' });
  });
  afterAll(() => api.stop());

  const somebody = async () => {
    const { token, organizationId } = api.person();
    const call = api.as(token);
    const brandId = (await call('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    const post = { brandId, platform: 'x', text: 'Text', origin: 'suggestion' };
    const contentId = (await call('POST', '/api/posts', post)).body.id as string;
    return { token, call, known: { brandId, contentId, organizationId } };
  };

  it(
    'is answered as the document says, and never a fault of the service',
    async () => {
      const seen = new Map<number, number>();
      const { call, known } = await somebody();
      const walk = await Walk.through(api.service.url, call, known);
      for (const operation of walk.served.operations) {
        // Things of its own for each operation: some of the requests are good ones and delete them.
        const { token, call, known } = await somebody();
        for (const status of await fuzz(walk.by(call, known), operation, bearer(token)))
          seen.set(status, (seen.get(status) ?? 0) + 1);
      }
      const [good, refused] = [
        [200, 201, 204],
        [400, 404],
      ].map((some) => some.reduce((sum, status) => sum + (seen.get(status) ?? 0), 0));
      // Neither only garbage nor only good requests.
      expect(good).toBeGreaterThan(50);
      expect(refused).toBeGreaterThan(50);
    },
    BY_ITSELF_MS,
  );
});
