import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { Credentials } from '../../src/platform/gateway/credentials/credentials.js';
import { CredentialsStore } from '../../src/platform/gateway/credentials/credentials.store.js';
import { manageCredentials } from '../../src/platform/gateway/operator.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { RowLock } from '../support/row-lock.js';

const SECRET = 'sk-0123456789abcdefghijklmn';
const NEXT_SECRET = 'sk-nopqrstuvwxyz0123456789';
const OPENAI = { provider: 'openai', label: 'Production key', secret: SECRET };

interface Body {
  readonly id: string;
  readonly version: number;
  readonly [member: string]: unknown;
}

describe('the credentials of providers', () => {
  let gateway: BootedGateway;
  let http: ReturnType<typeof request>;
  let admin: string;

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:1');
    http = request(gateway.service.url);
    admin = gateway.identity.organization();
  });
  afterAll(() => gateway.close());

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const member = (organizationId: string, scopes = ['provider_credentials.manage', 'org.admin']) =>
    bearer(gateway.identity.user({ organizations: [{ id: organizationId, scopes }] }));
  const platformPerson = (
    principalType: 'platform_admin' | 'platform_super_admin',
    isAdministrative = true,
  ) =>
    bearer(
      gateway.identity.user({
        principalType,
        organizations: [{ id: isAdministrative ? admin : randomUUID(), isAdministrative }],
      }),
    );
  const add = async (headers: Record<string, string>, changes: object = {}): Promise<Body> => {
    const sent = http
      .post('/api/credentials')
      .set(headers)
      .send({ ...OPENAI, ...changes });
    return (await sent.expect(201)).body as Body;
  };
  const path = ({ id }: { id: string }) => `/api/credentials/${id}`;
  const stored = async ({ id }: { id: string }) =>
    (
      await gateway.test.database.query<Record<string, string | null>>(
        'SELECT * FROM gateway.credential WHERE id = $1',
        [id],
      )
    )[0];
  const opened = async ({ id }: { id: string }) => {
    const { app } = gateway.service;
    return app
      .get(Credentials, { strict: false })
      .open(await app.get(CredentialsStore, { strict: false }).findSealed(id));
  };

  it('GW-05: are stored encrypted, and no response contains the secret', async () => {
    const headers = member(randomUUID());
    const created = await http.post('/api/credentials').set(headers).send(OPENAI).expect(201);
    const others = [
      await http.get('/api/credentials').set(headers).expect(200),
      await http.get(path(created.body)).set(headers).expect(200),
      await http.patch(path(created.body)).set(headers).send({ label: 'Another' }).expect(200),
      await http
        .post(`${path(created.body)}/rotate`)
        .set(headers)
        .send({ secret: NEXT_SECRET })
        .expect(200),
    ];
    expect(created.body).toMatchObject({
      provider: 'openai',
      hint: 'klmn',
      scope: 'organization',
      version: 1,
    });
    expect(others.at(-1)?.body).toMatchObject({ hint: '6789', version: 3, label: 'Another' });
    const texts = JSON.stringify([created, ...others].map(({ body, headers: sent }) => [body, sent]));
    const row = JSON.stringify(await stored(created.body));
    const audit = JSON.stringify((await http.get('/api/audit').set(headers).expect(200)).body);
    for (const secret of [SECRET, NEXT_SECRET])
      for (const text of [texts, row, audit]) expect(text).not.toContain(secret);
    expect(await opened(created.body)).toBe(NEXT_SECRET);
  });

  it('GW-13: hold no address and no setting of the transport', async () => {
    const columns = await gateway.test.database.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'gateway' AND table_name = 'credential'`,
    );
    expect(
      columns.map(({ name }) => name).filter((name) => /url|host|address|base|proxy|header/.test(name)),
    ).toEqual([]);
    for (const other of ['url', 'baseUrl', 'headers', 'gatewayUrl'])
      await http
        .post('/api/credentials')
        .set(member(randomUUID()))
        .send({ ...OPENAI, [other]: 'http://127.0.0.1:1' })
        .expect(400);
  });

  it('GW-30: platform defaults are changed by platform_super_admin of the admin organization only', async () => {
    const scope = { scope: 'platform' };
    const superAdmin = platformPerson('platform_super_admin');
    const platformAdmin = platformPerson('platform_admin');
    const created = await add(superAdmin, scope);
    expect(created).toMatchObject({ scope: 'platform', organizationId: null });
    const others: [Record<string, string>, number][] = [
      [platformAdmin, 403],
      [platformPerson('platform_super_admin', false), 404],
      [member(admin), 404],
      [member(randomUUID()), 404],
      [
        { 'x-api-key': gateway.identity.apiKey({ organization: { id: admin, isAdministrative: true } }) },
        404,
      ],
    ];
    for (const [headers, status] of others) {
      await http
        .post('/api/credentials')
        .set(headers)
        .send({ ...OPENAI, ...scope })
        .expect(403);
      await http.patch(path(created)).set(headers).send({ enabled: false }).expect(status);
      await http
        .post(`${path(created)}/rotate`)
        .set(headers)
        .send({ secret: NEXT_SECRET })
        .expect(status);
      await http.delete(path(created)).set(headers).expect(status);
    }
    await http
      .post('/api/credentials')
      .send({ ...OPENAI, ...scope })
      .expect(401);
    expect(await opened(created)).toBe(SECRET);
    await http.patch(path(created)).set(superAdmin).send({ enabled: false }).expect(200);
    await http.delete(path(created)).set(superAdmin).expect(204);
  });

  it('GW-31: platform defaults are listed and read by both platform administrators', async () => {
    const created = await add(platformPerson('platform_super_admin'), { scope: 'platform' });
    for (const type of ['platform_admin', 'platform_super_admin'] as const) {
      const headers = platformPerson(type);
      await http.get(path(created)).set(headers).expect(200);
      const { body } = await http.get('/api/credentials?scope=platform').set(headers).expect(200);
      expect((body.data as Body[]).map(({ id }) => id)).toContain(created.id);
      await http.get('/api/audit/platform').set(headers).expect(200);
    }
    const others = [member(admin), platformPerson('platform_super_admin', false)];
    for (const headers of others) {
      await http.get(path(created)).set(headers).expect(404);
      await http.get('/api/credentials?scope=platform').set(headers).expect(403);
      await http.get('/api/audit/platform').set(headers).expect(403);
    }
  });

  it('of another organization do not exist', async () => {
    const [organizationId, other] = [randomUUID(), randomUUID()];
    const created = await add(member(organizationId));
    const headers = member(other);
    for (const sent of [
      http.get(path(created)),
      http.patch(path(created)).send({ enabled: false }),
      http.post(`${path(created)}/rotate`).send({ secret: NEXT_SECRET }),
      http.delete(path(created)),
      http.get('/api/credentials').set('x-organization-id', organizationId),
      http.get('/api/audit').set('x-organization-id', organizationId),
    ])
      await sent.set(headers).expect(404);
    const inOther = { ...headers, 'x-organization-id': organizationId };
    await http.post('/api/credentials').set(inOther).send(OPENAI).expect(404);
    expect((await http.get('/api/credentials').set(headers).expect(200)).body.data).toEqual([]);
    const reader = member(organizationId, ['usage.read']);
    await http.get(path(created)).set(reader).expect(403);
    await http.get('/api/credentials').set(reader).expect(403);
    await http.get('/api/audit').set(reader).expect(403);
    await http
      .get(path({ id: 'nothing' }))
      .set(headers)
      .expect(404);
  });

  it('are managed by API keys with the scope, of their organization', async () => {
    const organization = { id: randomUUID(), scopes: ['provider_credentials.manage'] };
    const key = { 'x-api-key': gateway.identity.apiKey({ organization }) };
    expect(await add(key)).toMatchObject({ organizationId: organization.id });
  });

  it('are added by an operator for an organization, however its id is written', async () => {
    const organizationId = randomUUID();
    const added = ['add', '--provider', 'openai', '--label', 'Added by an operator'];
    const named = ['--organization', organizationId.toUpperCase()];
    await manageCredentials(gateway.environment, [...added, ...named], () => Promise.resolve(`${SECRET}\n`));
    const { body } = await http.get('/api/credentials').set(member(organizationId)).expect(200);
    const [credential] = body.data as [Body];
    expect(await opened(credential)).toBe(SECRET);
  });

  it('are several per provider, in an order', async () => {
    const headers = member(randomUUID());
    const [first, second] = [await add(headers), await add(headers, { label: 'Second' })];
    expect([first.position, second.position]).toEqual([1, 2]);
    await http.patch(path(first)).set(headers).send({ position: 3 }).expect(200);
    const { body } = await http.get('/api/credentials?provider=openai').set(headers).expect(200);
    expect((body.data as Body[]).map(({ position }) => position).sort()).toEqual([2, 3]);
    expect((await http.get('/api/credentials?provider=google').set(headers).expect(200)).body.data).toEqual(
      [],
    );
  });

  it('are bounded in number, also when they are added at once', async () => {
    const headers = member(randomUUID());
    for (let known = 0; known < 19; known += 1) await add(headers);
    // Both have counted before one is stored, unless the second waits for the first.
    const lock = await RowLock.by(gateway.test, 'LOCK TABLE gateway.credential IN SHARE MODE', []);
    const sent = await lock.meanwhile(
      [1, 2].map(() => http.post('/api/credentials').set(headers).send(OPENAI)),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 409]);
    await add(headers, { provider: 'google' });
  });

  it('of two rotations at once with If-Match, one is refused; without, the last one applies', async () => {
    const headers = member(randomUUID());
    const created = await add(headers);
    const replica = request((await gateway.replica()).url);
    const rotate = (to: ReturnType<typeof request>, secret: string, match?: string) => {
      const sent = to.post(`${path(created)}/rotate`).set(headers);
      return (match ? sent.set('if-match', match) : sent).send({ secret });
    };
    const secrets = ['sk-first-0123456789abcdef', 'sk-second-0123456789abcde'] as const;
    const matching = await Promise.all([
      rotate(http, secrets[0], '"v1"'),
      rotate(replica, secrets[1], '"v1"'),
    ]);
    expect(matching.map(({ status }) => status).sort()).toEqual([200, 412]);
    const applied = secrets[matching.findIndex(({ status }) => status === 200)];
    expect(await opened(created)).toBe(applied);

    const both = await Promise.all([rotate(http, secrets[0]), rotate(replica, secrets[1])]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const versions = both.map(({ body }) => (body as Body).version);
    expect([...versions].sort()).toEqual([3, 4]);
    expect(await opened(created)).toBe(secrets[versions.indexOf(4)]);
  });

  it('forget with a rotation what was known of the former secret', async () => {
    const headers = member(randomUUID());
    const created = await add(headers);
    await gateway.test.database.query(
      `UPDATE gateway.credential SET failing_since = now(), breaker_open_until = 'infinity', breaker_reason = 'money',
              checked_at = now(), check_result = '{"outcome":"works"}'
        WHERE id = $1`,
      [created.id],
    );
    const { body, headers: sent } = await http.get(path(created)).set(headers).expect(200);
    expect(body).toMatchObject({ heldBack: 'money', heldBackUntil: null, failingSince: expect.any(String) });
    expect(sent.etag).toMatch(/^"v1-/);
    await http.get(path(created)).set(headers).set('if-none-match', '"v1"').expect(200);
    const rotated = await http
      .post(`${path(created)}/rotate`)
      .set(headers)
      .set('if-match', String(sent.etag))
      .send({ secret: NEXT_SECRET })
      .expect(200);
    expect(rotated.body).toMatchObject({ heldBack: null, failingSince: null, version: 2 });
    expect(await stored(created)).toMatchObject({
      ...{ failing_since: null, breaker_open_until: null, breaker_reason: null },
      ...{ checked_at: null, check_result: null },
    });
  });

  it('are erased when they are deleted, and their row stays', async () => {
    const headers = member(randomUUID());
    const created = await add(headers);
    await http.delete(path(created)).set(headers).set('if-match', '"v7"').expect(412);
    await http.delete(path(created)).set(headers).set('if-match', '"v1"').expect(204);
    await http.get(path(created)).set(headers).expect(404);
    await http.delete(path(created)).set(headers).expect(404);
    expect(await stored(created)).toMatchObject({ data_key: '', secret: '', hint: '', provider: 'openai' });
    const { body } = await http.get('/api/audit').set(headers).expect(200);
    expect((body.data as { action: string }[]).map(({ action }) => action)).toEqual([
      'credential_deleted',
      'credential_created',
    ]);
  });

  it('are refused without repeating the secret', async () => {
    const headers = member(randomUUID());
    for (const changes of [
      { secret: 'short\nand with lines' },
      { secret: undefined },
      { provider: 'smtp', secret: { host: '10.0.0.1', port: 25, user: 'ada', password: SECRET } },
      { provider: 'nobody' },
      { provider: 'youtube', secret: undefined },
      { project: 'example-project' },
      { label: '' },
      { position: 0 },
      { scope: 'world' },
      { secret: SECRET, extra: 1 },
    ]) {
      const { text } = await http
        .post('/api/credentials')
        .set(headers)
        .send({ ...OPENAI, ...changes })
        .expect(400);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('short');
    }
    const videos = { provider: 'youtube', secret: undefined, project: 'example-project' };
    const { body } = await http
      .post('/api/credentials')
      .set(headers)
      .send({ label: 'Videos', ...videos })
      .expect(400);
    expect(body.errors).toMatchObject([{ pointer: '#/scope' }]);
    await add(platformPerson('platform_super_admin'), { ...videos, scope: 'platform' });
  });

  it('are added once when a request is repeated with its Idempotency-Key', async () => {
    const headers = { ...member(randomUUID()), 'idempotency-key': randomUUID() };
    const [first, again] = [await add(headers), await add(headers)];
    expect(again.id).toBe(first.id);
    const responses = await gateway.test.database.query<{ text: string }>(
      'SELECT known::text AS text FROM http.idempotent_request AS known',
    );
    expect(JSON.stringify(responses)).not.toContain(SECRET);
  });

  it('are not those of another organization when its request has the same Idempotency-Key', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const scopes = ['provider_credentials.manage'];
    const token = gateway.identity.user({
      organizations: [
        { id: first, scopes },
        { id: second, scopes },
      ],
    });
    const headers = { ...bearer(token), 'idempotency-key': randomUUID() };
    await add({ ...headers, 'x-organization-id': first });
    const { body } = await http
      .post('/api/credentials')
      .set({ ...headers, 'x-organization-id': second })
      .send(OPENAI)
      .expect(422);
    expect(body.code).toBe('idempotency_key_reused');
  });

  it('keep an audit that cannot be changed', async () => {
    await add(member(randomUUID()));
    for (const sql of [
      'UPDATE gateway.audit SET action = action',
      'DELETE FROM gateway.audit',
      'TRUNCATE gateway.audit',
    ])
      await expect(gateway.test.database.query(sql)).rejects.toThrow(/append-only/);
  });
});
