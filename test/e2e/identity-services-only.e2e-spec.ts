import { randomBytes } from 'node:crypto';
import { HttpIdentityClient, IdentityIsUnavailable, ServiceCredentialIsRefused } from '#libs/platform-client';
import {
  asService,
  bearer,
  type BootedIdentity,
  bootIdentity,
  type Person,
  SERVICE_TOKEN,
} from '../support/boot-identity.js';
import { RowLock } from '../support/row-lock.js';

const NEXT_TOKEN = 'another-token-of-a-service-of-the-tests';
/** Has a tag that no key has made. */
const forged = () => 'copa_' + randomBytes(32).toString('base64url');

describe('/validate', () => {
  let identity: BootedIdentity;
  let person: Person;

  beforeAll(async () => {
    identity = await bootIdentity({
      IDENTITY_SERVICE_TOKENS: `api:${SERVICE_TOKEN},api:${NEXT_TOKEN}`,
      DATABASE_POOL_SIZE: '4',
    });
    person = await identity.person();
  });
  afterAll(() => identity.close());

  const validate = (headers: Record<string, string>, token = person.token) =>
    identity.http.get('/validate').set(bearer(token)).set(headers);
  const counted = async (outcome: string) => {
    const page = await (await fetch(`${identity.service.managementUrl}/metrics`)).text();
    const line = page.split('\n').find((one) => one.includes(`validations_total{outcome="${outcome}"}`));
    return Number(line?.split(' ').at(-1));
  };
  /** While it runs, every look-up of a bearer token waits. */
  const holding = (table: string) =>
    RowLock.by(identity.test, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, []);
  it('answers batches of services only, each credential as alone', async () => {
    const batch = (validations: unknown, headers: Record<string, string> = asService) =>
      identity.http.post('/validate/batch').set(headers).send({ validations });
    const own = { authorization: `Bearer ${person.token}`, service: 'social-publishing' };
    await batch([own], {}).expect(403, /"service_not_authenticated"/);
    await batch([own], bearer(person.token)).expect(403);
    for (const wrong of [[], Array.from({ length: 65 }, () => own), [{ ...own, authorization: 1 }], 'x'])
      await batch(wrong).expect(400);
    const { body: alone } = await validate(asService).query({ service: own.service }).expect(200);
    const { body } = await batch([
      own,
      { ...own, authorization: 'Bearer nonsense' },
      { ...own, service: 'nothing' },
      {},
      { apiKey: '\u0001 é' },
      ...Array.from({ length: 59 }, () => own),
    ]).expect(200);
    const refused = (status: number) => ({ status, validation: null });
    const good = { status: 200, validation: alone };
    expect(body.results).toEqual([
      ...[good, refused(401), refused(404), refused(401), refused(401)],
      ...Array.from({ length: 59 }, () => good),
    ]);
  });

  it('answers services only, by either of two tokens while they are replaced', async () => {
    for (const token of [SERVICE_TOKEN, NEXT_TOKEN]) await validate({ 'X-Service-Token': token }).expect(200);
    const wrong = [
      '',
      'x',
      `${SERVICE_TOKEN} `.repeat(2),
      SERVICE_TOKEN.slice(1),
      `api:${SERVICE_TOKEN}`,
      person.token,
    ];
    for (const token of wrong) {
      await validate({ 'X-Service-Token': token }).expect(403, /"service_not_authenticated"/);
    }
    await validate({}).expect(403);
    await identity.http.post('/validate').set(bearer(person.token)).expect(403);
    await identity.http.post('/validate').set(asService).set(bearer(person.token)).expect(200);
  });

  it('looks nothing up for callers that are not services', async () => {
    const held = await holding('identity.access_token');
    const answers = await held.meanwhile([validate({}), validate({ 'X-Service-Token': 'x'.repeat(32) })]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });

  it('counts what it accepts, refuses, and refuses to services', async () => {
    const outcomes = ['accepted', 'refused', 'service_refused'];
    const before = await Promise.all(outcomes.map(counted));
    await validate(asService).expect(200);
    for (const token of [forged(), 'nonsense']) await validate(asService, token).expect(401);
    await validate({}).expect(403);
    const after = await Promise.all(outcomes.map(counted));
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 2, 1]);
  });

  it('looks nothing up for forged tokens', async () => {
    const held = await holding('identity.access_token');
    const answers = await Promise.all(Array.from({ length: 130 }, () => validate(asService, forged())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    await held.meanwhile([]);
  });

  it.each([undefined, 'x'.repeat(32)])(
    'is an outage, and not a no, for a service whose token is %s',
    async (identityServiceToken) => {
      const client = new HttpIdentityClient({
        identityUrl: identity.service.url,
        identityTimeoutMs: 5_000,
        ...(identityServiceToken === undefined ? {} : { identityServiceToken }),
      });
      const asked = client.validate({
        authorization: `Bearer ${person.token}`,
        service: 'social-publishing',
      });
      await expect(asked).rejects.toThrow(IdentityIsUnavailable);
      await expect(asked).rejects.toMatchObject({ cause: expect.any(ServiceCredentialIsRefused) });
      await client.onApplicationShutdown();
    },
  );
});
