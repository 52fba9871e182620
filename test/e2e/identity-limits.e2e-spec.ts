import { HttpIdentityClient, PlatformClientConfig } from '#libs/platform-client';
import { MAX_ORGANIZATIONS } from '../../src/platform/identity/access/memberships.js';
import {
  asService,
  bearer,
  type BootedIdentity,
  bootIdentity,
  PASSWORD,
  type Person,
  SERVICE_TOKEN,
} from '../support/boot-identity.js';

/** What clients read of an answer at most. */
const MAX_ANSWER_BYTES = 1_048_576;
/** The longest that a name may be: each character is four bytes of UTF-8. */
const LONGEST_NAME = '\u{1f600}'.repeat(120);

describe('the maximum number of organizations of one person', () => {
  let identity: BootedIdentity;
  let ada: Person;
  let mallory: Person;

  beforeAll(async () => {
    identity = await bootIdentity({ RATE_LIMIT_PER_MINUTE: '0' });
  });
  beforeEach(async () => {
    ada = await identity.person({ organization: false });
    mallory = await identity.person({ organization: false });
  });
  afterAll(() => identity.close());

  const create = (person: Person) =>
    identity.http.post('/api/organizations').set(bearer(person.token)).send({ name: 'One more' });
  const invite = async (by: Person, organizationId: string, { id: userId }: Person, role = 'viewer') => {
    const { body } = await identity.http
      .post(`/api/organizations/${organizationId}/invitations`)
      .set(bearer(by.token))
      .send({ userId, role })
      .expect(201);
    return body.id as string;
  };
  const accept = (who: Person, invitationId: string) =>
    identity.http.post(`/api/auth/me/invitations/${invitationId}/accept`).set(bearer(who.token));

  /** Organizations that `maker` made and owns, with the person in them too. @returns their ids */
  const given = async (count: number, maker: Person, person: Person): Promise<string[]> => {
    const rows = await identity.test.database.query<{ id: string }>(
      `WITH o AS (
         INSERT INTO identity.organization (id, name, created_by)
         SELECT gen_random_uuid(), $2, $3 FROM generate_series(1, $1::int) RETURNING id
       ), access AS (
         INSERT INTO identity.organization_service_access (organization_id, service_id)
         SELECT o.id, s.id FROM o, identity.service s
       ), membership AS (
         INSERT INTO identity.membership (organization_id, user_id, role)
         SELECT DISTINCT o.id, u.id, 'owner' FROM o, unnest(ARRAY[$3, $4]::uuid[]) AS u (id)
       )
       SELECT id FROM o`,
      [count, LONGEST_NAME, maker.id, person.id],
    );
    return rows.map(({ id }) => id);
  };

  it('limits created organizations, also for concurrent requests', async () => {
    await given(MAX_ORGANIZATIONS.made - 2, ada, ada);
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(ada)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_organizations');
    const left = answers.find(({ status }) => status === 201)?.body.id as string;
    await identity.join(ada, mallory, 'owner', left);
    await identity.http
      .delete(`/api/organizations/${left}/members/${ada.id}`)
      .set(bearer(ada.token))
      .expect(204);
    await create(ada).expect(201);
    // A member who left frees one place, which is taken when they return.
    await accept(ada, await invite(mallory, left, ada)).expect(409, /"too_many_organizations"/);
  });

  it('limits joined organizations, also for concurrent requests; leaving one frees a place', async () => {
    const [first = ''] = await given(MAX_ORGANIZATIONS.joined - 2, mallory, ada);
    const others = await Promise.all(Array.from({ length: 6 }, () => identity.person()));
    const invitations = await Promise.all(others.map((other) => invite(other, other.organizationId, ada)));
    const answers = await Promise.all(invitations.map((id) => accept(ada, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    await identity.http
      .delete(`/api/organizations/${first}/members/${ada.id}`)
      .set(bearer(ada.token))
      .expect(204);
    const refused = invitations.find((_, index) => answers[index]?.status === 409) as string;
    await accept(ada, refused).expect(200);
    await accept(ada, refused).expect(409, /"invitation_closed"/);
  });

  it('counts created and joined organizations separately', async () => {
    await given(MAX_ORGANIZATIONS.joined, mallory, ada);
    await create(ada).expect(201);
  });

  it('keeps the response of /validate far below the limit of its clients', async () => {
    await given(MAX_ORGANIZATIONS.made, ada, ada);
    await given(MAX_ORGANIZATIONS.joined, mallory, ada);
    const services = await identity.http.get('/api/services').set(bearer(ada.token)).expect(200);
    const client = new HttpIdentityClient(
      Object.assign(new PlatformClientConfig(), {
        identityUrl: identity.service.url,
        identityServiceToken: SERVICE_TOKEN,
        identityTimeoutMs: 30_000,
      }),
    );
    for (const { slug } of services.body.data as { slug: string }[]) {
      const { text } = await identity.http
        .get(`/validate?service=${slug}`)
        .set(asService)
        .set(bearer(ada.token))
        .expect(200);
      expect(Buffer.byteLength(text)).toBeLessThan(MAX_ANSWER_BYTES / 4);
      const caller = await client.validate({ authorization: `Bearer ${ada.token}`, service: slug });
      expect(caller?.organizations).toHaveLength(MAX_ORGANIZATIONS.made + MAX_ORGANIZATIONS.joined);
    }
    await client.onApplicationShutdown();
  });
});

describe('inviting', () => {
  let identity: BootedIdentity;

  beforeAll(async () => {
    identity = await bootIdentity();
  });
  afterAll(() => identity.close());

  it('is limited per caller, because it reaches people who did not request it', async () => {
    const owner = await identity.person();
    const { headers } = await identity.http
      .post(`/api/organizations/${owner.organizationId}/invitations`)
      .set(bearer(owner.token))
      .send({ email: 'nobody@example.com', role: 'viewer' })
      .expect(201);
    expect(headers['ratelimit-policy']).toBe('"add-member";q=300;w=3600');
  });
});

describe('signing in', () => {
  let identity: BootedIdentity;

  beforeAll(async () => {
    identity = await bootIdentity();
  });
  afterAll(() => identity.close());

  const login = (email: string, password = PASSWORD) =>
    identity.http.post('/api/auth/login').send({ email, password });
  const sql = (text: string, values: unknown[]) => identity.test.database.query(text, values);

  it('is limited per account and known device or network', async () => {
    const { email } = await identity.person();
    await login(email).expect(200);
    await sql('UPDATE http.rate_limit SET points = 1000 WHERE key LIKE $1', ['%:login-known:%']);
    const { body, headers } = await login(email).expect(429);
    expect(body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['login-known'] });
    expect(headers['ratelimit-policy']).toBe('"login-known";q=120;w=60');
    await login((await identity.person()).email).expect(200);
  });

  it('does not disclose which accounts know a network', async () => {
    const { email } = await identity.person();
    const names = async (who: string) =>
      Object.keys((await login(who, 'wrong guess').expect(401)).headers).sort();
    const known = await names(email);
    expect(known).toEqual(await names('nobody@example.com'));
    expect(known).not.toContain('ratelimit-policy');
  });

  it('for a password change is limited per caller', async () => {
    const { token } = await identity.person();
    const { headers } = await identity.http
      .put('/api/auth/me/password')
      .set(bearer(token))
      .send({ currentPassword: PASSWORD, newPassword: `${PASSWORD}!` })
      .expect(204);
    expect(headers['ratelimit-policy']).toBe('"change-password";q=60;w=3600');
  });

  it('ends the least recently used sessions above 200', async () => {
    const [forgotten, other] = [await identity.person(), await identity.person()];
    const used = (await login(forgotten.email).expect(200)).body.accessToken as string;
    await sql(
      `INSERT INTO identity.session (id, user_id, last_used_at, expires_at)
       SELECT gen_random_uuid(), $1, now() - interval '1 hour', now() + interval '1 day' FROM generate_series(1, 198)`,
      [forgotten.id],
    );
    await sql(
      `UPDATE identity.session SET last_used_at = now() - interval '1 day'
        WHERE id = (SELECT id FROM identity.session WHERE user_id = $1 ORDER BY created_at LIMIT 1)`,
      [forgotten.id],
    );
    const { body } = await login(forgotten.email).expect(200);
    const me = (token: string) => identity.http.get('/api/auth/me').set(bearer(token));
    await me(forgotten.token).expect(401);
    await identity.http.post('/api/auth/refresh').send({ refreshToken: forgotten.refreshToken }).expect(401);
    for (const token of [used, body.accessToken as string, other.token]) await me(token).expect(200);
    const rows = await sql('SELECT FROM identity.session WHERE user_id = $1 AND revoked_at IS NULL', [
      forgotten.id,
    ]);
    expect(rows).toHaveLength(200);
  });
});

describe('an attacker who keeps sending wrong passwords', () => {
  const OFFICE = '203.0.113.9';
  let identity: BootedIdentity;

  afterEach(() => identity.close());

  const login = (email: string, password: string, headers: Record<string, string> = {}) =>
    identity.http
      .post('/api/auth/login')
      .set({ 'X-Forwarded-For': OFFICE, ...headers })
      .send({ email, password });
  /** A person who is known in the office, and another one who is known on a device only. */
  const colleagues = async () => {
    const [ada, grace] = [await identity.person(), await identity.person()];
    await login(ada.email, PASSWORD).expect(200);
    const elsewhere = await login(grace.email, PASSWORD, { 'X-Forwarded-For': '198.51.100.7' }).expect(200);
    const [cookie = ''] = String(elsewhere.headers['set-cookie']).split(';');
    return { ada, grace, cookie };
  };
  const throttled = async () => {
    const page = await (await fetch(`${identity.service.managementUrl}/metrics`)).text();
    const line = page.split('\n').find((one) => one.includes('attempts_total{outcome="throttled"}'));
    return Number(line?.split(' ').at(-1));
  };
  const knownStillGetIn = async ({ ada, grace, cookie }: Awaited<ReturnType<typeof colleagues>>) => {
    await login(ada.email, PASSWORD).expect(200);
    await login(grace.email, PASSWORD, { Cookie: cookie }).expect(200);
  };

  it('exhausts the limit of the address, but not for known users there', async () => {
    identity = await bootIdentity({ TRUST_PROXY_HOPS: '1' });
    const people = await colleagues();
    const stranger = await identity.person();
    const before = await throttled();
    const statuses: number[] = [];
    for (let batch = 0; batch < 26; batch += 1) {
      const answers = Array.from({ length: 25 }, (_, index) =>
        login(`${batch}-${index}@example.com`, 'wrong'),
      );
      statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
    }
    const refused = await login(stranger.email, PASSWORD).expect(429);
    expect(refused.body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['login'] });
    expect(refused.headers['ratelimit-policy']).toBe('"login";q=600;w=60');
    await knownStillGetIn(people);
    expect((await throttled()) - before).toBe(statuses.filter((status) => status === 429).length + 1);
  });

  it('cannot keep known users out, also beyond the limit of the address', async () => {
    identity = await bootIdentity({ TRUST_PROXY_HOPS: '1', RATE_LIMIT_PER_MINUTE: '50' });
    const people = await colleagues();
    for (let index = 0; index < 55; index += 1) await login(`${index}@example.com`, 'wrong').expect(401);
    await knownStillGetIn(people);
  });
});
