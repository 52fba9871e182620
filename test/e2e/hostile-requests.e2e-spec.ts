import { type BootedIdentity, bootIdentity } from '../support/boot-identity.js';
import { BusinessApi } from '../support/business-api.js';
import { type Call, callOf } from '../support/call.js';
import { fuzz } from '../support/fuzz.js';
import type { Known } from '../support/operations.js';
import { bearer, Walk } from '../support/walk.js';

/** Only ends a run that hangs: a run is hundreds of requests. */
const BY_ITSELF_MS = 400_000;

interface Somebody {
  readonly token: string;
  readonly call: Call;
  /** See `Things`. */
  readonly known: Known;
}

/** Sends hostile requests to every operation of a service. @returns how many of them were served, and refused as wrong */
async function fuzzAll(url: string, somebody: () => Promise<Somebody>) {
  const seen: number[] = [];
  const { call, known } = await somebody();
  const walk = await Walk.through(url, call, known);
  for (const operation of walk.served.operations) {
    // Things of its own for each operation: some of the requests are good ones and delete them.
    const { token, call, known } = await somebody();
    seen.push(...(await fuzz(walk.by(call, known), operation, bearer(token))));
  }
  const count = (statuses: number[]) => seen.filter((status) => statuses.includes(status)).length;
  return { good: count([200, 201, 204]), refused: count([400, 404]) };
}

describe('a hostile request to the business API', () => {
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
    'gets a documented response, never an internal error',
    async () => {
      const { good, refused } = await fuzzAll(api.service.url, somebody);
      // Neither only garbage nor only good requests.
      expect(good).toBeGreaterThan(50);
      expect(refused).toBeGreaterThan(50);
    },
    BY_ITSELF_MS,
  );
});

describe('a hostile request to identity', () => {
  let identity: BootedIdentity;

  beforeAll(async () => {
    identity = await bootIdentity({ RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterAll(() => identity.close());

  const somebody = async () => {
    const [owner, member] = [await identity.person(), await identity.person({ organization: false })];
    const { organizationId, token, refreshToken } = owner;
    const call = callOf(identity.service.url, bearer(token));
    await identity.join(owner, member, 'viewer');
    const invitation = await call('POST', `/api/organizations/${organizationId}/invitations`, {
      ...{ email: 'invited@example.com', role: 'viewer' },
    });
    const sessions = await call('GET', '/api/auth/sessions');
    const sessionId = sessions.body.data[0].id as string;
    const known = {
      ...{ organizationId, userId: member.id, sessionId, invitationId: invitation.body.id as string },
      ...{ slug: 'agent', service: 'social-publishing' },
      ...{ email: () => `${crypto.randomUUID()}@example.com`, refreshToken },
    };
    return { token, call, known };
  };

  it(
    'gets a documented response, never an internal error',
    async () => {
      const { good, refused } = await fuzzAll(identity.service.url, somebody);
      expect(good).toBeGreaterThan(50);
      expect(refused).toBeGreaterThan(50);
    },
    BY_ITSELF_MS,
  );
});
