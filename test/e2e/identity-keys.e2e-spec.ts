import { randomUUID } from 'node:crypto';
import { ExpirySweep } from '../../src/platform/identity/expiry-sweep.js';
import {
  asService,
  bearer,
  type BootedIdentity,
  bootIdentity,
  type Person,
} from '../support/boot-identity.js';

const GRANT = { name: 'Robot', service: 'social-publishing', scopes: ['posts.read', 'posts.write'] };

describe('API keys and service principals of identity', () => {
  let identity: BootedIdentity;
  let owner: Person;
  let stranger: Person;
  let member: Person;

  beforeAll(async () => {
    identity = await bootIdentity({
      API_KEYS_PER_ORGANIZATION: '5',
      SERVICE_PRINCIPALS_PER_ORGANIZATION: '5',
    });
    owner = await identity.person();
    stranger = await identity.person();
    member = await identity.person({ organization: false });
    await identity.join(owner, member, 'member');
  });
  beforeEach(() => identity.test.database.query('DELETE FROM identity.api_key'));
  beforeEach(() => identity.test.database.query('DELETE FROM identity.service_principal'));
  afterAll(() => identity.close());

  const validate = (headers: Record<string, string>, service = 'social-publishing') =>
    identity.http.get(`/validate?service=${service}`).set(asService).set(headers);
  const post = (path: string, token: string, body: object = {}) =>
    identity.http.post(path).set(bearer(token)).send(body);

  describe('keys', () => {
    const path = (organizationId = owner.organizationId) => `/api/organizations/${organizationId}/api-keys`;
    const create = (change: object = {}, token = owner.token) => post(path(), token, { ...GRANT, ...change });
    const aKey = async (change: object = {}) =>
      (await create(change).expect(201)).body as { id: string; key: string };

    it('are shown once; later only their last characters', async () => {
      const created = await create().expect(201);
      expect(created.body.key).toMatch(/^cop_live_[0-9A-Za-z]{36}$/);
      const { key, ...rest } = created.body;
      const list = await identity.http.get(path()).set(bearer(owner.token)).expect(200);
      expect(list.body.data).toEqual([rest]);
      expect(rest).toMatchObject({
        ...{ prefix: 'cop_live_', lastFour: key.slice(-4), createdBy: owner.id, lastUsedAt: null },
        ...{ scopes: GRANT.scopes, brandIds: null, expiresAt: null, revokedAt: null },
      });
      expect(JSON.stringify(list.body)).not.toContain(key);
      const stored = await identity.test.database.query('SELECT * FROM identity.api_key');
      expect(JSON.stringify(stored)).not.toContain(key.slice(9, -4));
    });

    it('grant their scopes and brands, and record their last use', async () => {
      const brandId = randomUUID();
      const { id, key } = await aKey({ brandIds: [brandId.toUpperCase()] });
      const { body } = await validate({ 'X-Api-Key': key }).expect(200);
      expect(body.principal).toEqual({ id, type: 'api_key', name: 'Robot', email: null });
      expect(body.user).toMatchObject({
        ...{ principalType: 'api_key', principalServices: ['social-publishing'], launcherEligible: false },
      });
      expect(body.organizations).toEqual([
        expect.objectContaining({ id: owner.organizationId, scopes: GRANT.scopes, brandIds: [brandId] }),
      ]);
      const elsewhere = await validate({ 'X-Api-Key': key }, 'contact-management').expect(200);
      expect(elsewhere.body.organizations[0].scopes).toEqual([]);
      const list = await identity.http.get(path()).set(bearer(owner.token));
      expect(list.body.data[0].lastUsedAt).not.toBeNull();
    });

    it('are refused from the next request after revocation, which is idempotent', async () => {
      const { id, key } = await aKey();
      await validate({ 'X-Api-Key': key }).expect(200);
      const revoke = () => identity.http.delete(`${path()}/${id}`).set(bearer(owner.token));
      const first = await revoke().expect(200);
      await validate({ 'X-Api-Key': key }).expect(401);
      expect((await revoke().expect(200)).body.revokedAt).toBe(first.body.revokedAt);
    });

    it('are refused after they expire', async () => {
      const { key } = await aKey({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
      const { body } = await validate({ 'X-Api-Key': key }).expect(200);
      expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now());
      await identity.test.database.query(
        `UPDATE identity.api_key SET expires_at = now() - interval '1 second'`,
      );
      await validate({ 'X-Api-Key': key }).expect(401);
    });

    it.each([
      ['a scope outside the catalog', { scopes: ['posts.read', 'posts.destroy'] }, '#/scopes'],
      ['no scope', { scopes: [] }, '#/scopes'],
      ['an unknown service', { service: 'nothing' }, '#/service'],
      ['a brand that is no id', { brandIds: ['nonsense'] }, '#/brandIds'],
      ['no brand at all', { brandIds: [] }, '#/brandIds'],
      ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, '#/expiresAt'],
      ['no name', { name: ' ' }, '#/name'],
    ])('400: %s', async (_, change, pointer) => {
      const { body } = await create(change).expect(400);
      expect(body.errors[0].pointer).toBe(pointer);
    });

    it('cannot have permissions that their creator lacks', async () => {
      const change = { service: 'provider-gateway', scopes: ['usage.read', 'organizations.provision'] };
      const { body } = await create(change).expect(400);
      expect(body.code).toBe('scopes_not_offered');
      expect(body.errors).toHaveLength(1);
    });

    it('are managed by owners and admins only: not by members, other users, keys or service principals', async () => {
      const { id, key } = await aKey();
      const { body: robot } = await post(
        `/api/organizations/${owner.organizationId}/service-principals`,
        owner.token,
        { ...GRANT, scopes: ['api_keys.write', 'posts.read'] },
      ).expect(201);
      for (const [token, status] of [
        [member.token, 403],
        [robot.token, 403],
        [stranger.token, 404],
        ['nonsense', 401],
      ] as const) {
        await create({}, token).expect(status);
        await identity.http.get(path()).set(bearer(token)).expect(status);
        await identity.http.delete(`${path()}/${id}`).set(bearer(token)).expect(status);
        await post(`${path()}/${id}/rotate`, token).expect(status);
      }
      await identity.http.post(path()).set({ 'X-Api-Key': key }).send(GRANT).expect(401);
      await identity.http.get(path()).expect(401);
    });

    it('of another organization give 404', async () => {
      const { id, key } = await aKey();
      const foreign = path(stranger.organizationId);
      await identity.http.delete(`${foreign}/${id}`).set(bearer(stranger.token)).expect(404);
      await post(`${foreign}/${id}/rotate`, stranger.token).expect(404);
      const list = await identity.http.get(foreign).set(bearer(stranger.token)).expect(200);
      expect(list.body.data).toEqual([]);
      await validate({ 'X-Api-Key': key }).expect(200);
      await identity.http.delete(`${path()}/nonsense`).set(bearer(owner.token)).expect(404);
    });

    it('never exceed the maximum, also for concurrent requests', async () => {
      await aKey();
      const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(8);
      expect(refused[0]?.body.code).toBe('too_many_api_keys');
      await identity.test.database.query(
        `UPDATE identity.api_key SET expires_at = now() WHERE name = 'Robot'`,
      );
      await create().expect(201);
    });

    it('rotate with an overlap, even at the maximum', async () => {
      const old = await aKey({ brandIds: [randomUUID()] });
      for (let i = 0; i < 4; i += 1) await aKey();
      const fresh = await post(`${path()}/${old.id}/rotate`, owner.token, { overlapMinutes: 10 }).expect(201);
      expect(fresh.body.scopes).toEqual(GRANT.scopes);
      await validate({ 'X-Api-Key': fresh.body.key }).expect(200);
      const during = await validate({ 'X-Api-Key': old.key }).expect(200);
      expect(Date.parse(during.body.expiresAt) - Date.now()).toBeLessThanOrEqual(10 * 60_000);
      await post(`${path()}/${old.id}/rotate`, owner.token).expect(404);
      const last = await post(`${path()}/${fresh.body.id}/rotate`, owner.token, { overlapMinutes: 0 }).expect(
        201,
      );
      await validate({ 'X-Api-Key': fresh.body.key }).expect(401);
      await validate({ 'X-Api-Key': last.body.key }).expect(200);
      await post(`${path()}/${last.body.id}/rotate`, owner.token, { overlapMinutes: -1 }).expect(400);
      // Nothing is no number of minutes: the old key would work for ever.
      await post(`${path()}/${last.body.id}/rotate`, owner.token, { overlapMinutes: null }).expect(400);
    });

    it('keep the id of the first key as principal over rotations, unique per rotation', async () => {
      const first = await aKey();
      const other = await aKey();
      const rotate = async (id: string) =>
        (await post(`${path()}/${id}/rotate`, owner.token, { overlapMinutes: 10 }).expect(201)).body;
      const second = await rotate(first.id);
      const third = await rotate(second.id);
      const principals = await Promise.all(
        [first, second, third, other].map(async ({ key }) => {
          const { body } = await validate({ 'X-Api-Key': key }).expect(200);
          return body.principal.id as string;
        }),
      );
      expect(principals).toEqual([first.id, first.id, first.id, other.id]);
      await identity.http.delete(`${path()}/${first.id}`).set(bearer(owner.token)).expect(200);
      const { body } = await validate({ 'X-Api-Key': third.key }).expect(200);
      expect(body.principal.id).toBe(first.id);
    });

    it('remain valid after their creator leaves', async () => {
      const second = await identity.person({ organization: false });
      await identity.join(owner, second, 'admin');
      const { key } = (await create({}, second.token).expect(201)).body;
      await identity.test.database.query('DELETE FROM identity.user_account WHERE id = $1', [second.id]);
      await validate({ 'X-Api-Key': key }).expect(200);
    });

    it('are audited', async () => {
      const { id } = await aKey();
      await post(`${path()}/${id}/rotate`, owner.token, { overlapMinutes: 5 }).expect(201);
      await identity.http.delete(`${path()}/${id}`).set(bearer(owner.token)).expect(200);
      const { body } = await identity.http
        .get(`/api/organizations/${owner.organizationId}/audit-events?limit=3`)
        .set(bearer(owner.token));
      expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
        ...['api_key_revoked', 'api_key_rotated', 'api_key_created'],
      ]);
    });
  });

  describe('service principals', () => {
    const path = (organizationId = owner.organizationId) =>
      `/api/organizations/${organizationId}/service-principals`;
    const create = (change: object = {}, token = owner.token) => post(path(), token, { ...GRANT, ...change });

    it('have their own bearer token, shown once', async () => {
      const { body } = await create().expect(201);
      expect(body.token).toMatch(/^cops_[\w-]{43}$/);
      const validated = await validate(bearer(body.token)).expect(200);
      expect(validated.body.principal).toMatchObject({ id: body.id, type: 'service', name: 'Robot' });
      expect(validated.body.organizations[0]).toMatchObject({ role: 'service', scopes: GRANT.scopes });
      const list = await identity.http.get(path()).set(bearer(owner.token)).expect(200);
      const { token, ...rest } = body;
      expect(list.body.data).toContainEqual(rest);
      expect(JSON.stringify(list.body)).not.toContain(token);
    });

    it('can read themselves and their organization, and administer nothing', async () => {
      const { token } = (await create().expect(201)).body;
      const mine = await identity.http.get('/api/auth/me').set(bearer(token)).expect(200);
      expect(mine.body).toMatchObject({ principalType: 'service', email: null, launcherEligible: false });
      await identity.http.get(`/api/organizations/${owner.organizationId}`).set(bearer(token)).expect(200);
      await create({}, token).expect(403);
      await post('/api/organizations', token, { name: 'Mine' }).expect(403);
      await post('/api/auth/logout', token).expect(403);
      await identity.http.get('/api/auth/sessions').set(bearer(token)).expect(403);
      await identity.http.delete(`/api/auth/sessions/${randomUUID()}`).set(bearer(token)).expect(403);
    });

    it('are refused from the next request after being disabled', async () => {
      const { id, token } = (await create().expect(201)).body;
      const disable = (who: string, organizationId?: string) =>
        post(`${path(organizationId)}/${id}/disable`, who);
      await disable(stranger.token, stranger.organizationId).expect(404);
      await disable(stranger.token).expect(404);
      await disable(member.token).expect(403);
      const { body } = await disable(owner.token).expect(200);
      expect(body.disabledAt).not.toBeNull();
      await validate(bearer(token)).expect(401);
      expect((await disable(owner.token).expect(200)).body.disabledAt).toBe(body.disabledAt);
      await post(`${path()}/${id}/rotate`, owner.token).expect(404);
    });

    it('never exceed the maximum, also for concurrent requests', async () => {
      await create().expect(201);
      const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(8);
      expect(refused[0]?.body.code).toBe('too_many_service_principals');
      const [first, second] = answers.filter(({ status }) => status === 201);
      await post(`${path()}/${first?.body.id}/disable`, owner.token).expect(200);
      await create().expect(201);
      await identity.test.database.query(
        'UPDATE identity.service_principal_token SET expires_at = now() WHERE principal_id = $1',
        [second?.body.id],
      );
      await create().expect(201);
      await create().expect(409);
    });

    it('have their expired tokens deleted after the retention period only', async () => {
      const { id } = (await create().expect(201)).body;
      const { body } = await post(`${path()}/${id}/rotate`, owner.token, { overlapMinutes: 0 }).expect(201);
      await identity.test.database.query(
        `UPDATE identity.service_principal_token SET expires_at = now() - interval '25 hours'
          WHERE principal_id = $1 AND expires_at IS NOT NULL`,
        [id],
      );
      await identity.service.app.get(ExpirySweep).sweep();
      const left = await identity.test.database.query(
        'SELECT last_four FROM identity.service_principal_token WHERE principal_id = $1',
        [id],
      );
      expect(left).toEqual([{ last_four: body.token.slice(-4) }]);
      await validate(bearer(body.token)).expect(200);
    });

    it('are disabled once for one Idempotency-Key', async () => {
      const { id } = (await create().expect(201)).body;
      const disable = () =>
        post(`${path()}/${id}/disable`, owner.token).set('Idempotency-Key', 'disable-once');
      const first = await disable().expect(200);
      const again = await disable().expect(200);
      expect(again.body).toEqual(first.body);
      expect(again.headers['idempotent-replayed']).toBe('true');
    });

    it('rotate with an overlap', async () => {
      const { id, token } = (await create().expect(201)).body;
      const fresh = await post(`${path()}/${id}/rotate`, owner.token, { overlapMinutes: 5 }).expect(201);
      expect(fresh.body.tokens).toHaveLength(2);
      await validate(bearer(token)).expect(200);
      await validate(bearer(fresh.body.token)).expect(200);
      const last = await post(`${path()}/${id}/rotate`, owner.token, { overlapMinutes: 0 }).expect(201);
      await validate(bearer(token)).expect(401);
      await validate(bearer(fresh.body.token)).expect(401);
      await validate(bearer(last.body.token)).expect(200);
      await post(`${path()}/${id}/rotate`, member.token).expect(403);
      await post(`${path()}/${id}/rotate`, stranger.token).expect(404);
    });

    it('keep their expiry over rotations', async () => {
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const ends = (body: { tokens: { expiresAt: string | null }[] }) =>
        body.tokens.map((token) => Date.parse(String(token.expiresAt)));
      const { id } = (await create({ expiresAt }).expect(201)).body;
      for (const overlapMinutes of [5, 0, 5]) {
        const { body } = await post(`${path()}/${id}/rotate`, owner.token, { overlapMinutes }).expect(201);
        expect(ends(body)[0]).toBe(Date.parse(expiresAt));
        const validated = await validate(bearer(body.token)).expect(200);
        expect(Date.parse(validated.body.expiresAt)).toBe(Date.parse(expiresAt));
      }
      await identity.test.database.query(
        'UPDATE identity.service_principal_token SET expires_at = now() WHERE principal_id = $1',
        [id],
      );
      await post(`${path()}/${id}/rotate`, owner.token).expect(404);
    });

    it('cannot be created with invalid grants or in other organizations', async () => {
      await create({ scopes: ['posts.destroy'] }).expect(400);
      await create({ service: 'nothing' }).expect(400);
      await create({}, stranger.token).expect(404);
      await create({}, member.token).expect(403);
      await identity.http.get(path()).set(bearer(stranger.token)).expect(404);
      await identity.http.get(path()).expect(401);
    });
  });

  it.each(['api-keys', 'service-principals'])(
    '%s cannot be rotated by who could not create them',
    async (kind) => {
      const organization = `/api/organizations/${owner.organizationId}`;
      const admin = await identity.person({ organization: false });
      await identity.join(owner, admin, 'admin');
      const service = await identity.http.get('/api/services/social-publishing').set(bearer(owner.token));
      const restrict = (overrides: object[]) =>
        identity.http
          .put(`${organization}/members/${admin.id}/permission-overrides`)
          .set(bearer(owner.token))
          .send({ overrides })
          .expect(200);
      await restrict([{ permission: `${service.body.id}.posts:write`, effect: 'deny' }]);
      const path = `${organization}/${kind}`;
      const { id, key, token } = (await post(path, owner.token, GRANT).expect(201)).body;
      const creating = await post(path, admin.token, GRANT).expect(400);
      const rotating = await post(`${path}/${id}/rotate`, admin.token, { overlapMinutes: 0 }).expect(400);
      expect(rotating.body).toMatchObject({ code: 'scopes_not_offered', errors: creating.body.errors });
      await validate(key ? { 'X-Api-Key': key } : bearer(token)).expect(200);
      const list = await identity.http.get(path).set(bearer(owner.token)).expect(200);
      const now = list.body.data.find((one: { id: string }) => one.id === id);
      expect(now.tokens ?? [now]).toEqual([expect.objectContaining({ expiresAt: null })]);
      await restrict([]);
      await post(`${path}/${id}/rotate`, admin.token).expect(201);
    },
  );

  it.each([
    ['api-keys', 'delete', ''],
    ['service-principals', 'post', '/disable'],
  ] as const)(
    '%s are made, rotated and ended by who may: by the permission, where the service has one, beside the role',
    async (kind, method, ending) => {
      const organization = `/api/organizations/${owner.organizationId}`;
      const path = `${organization}/${kind}`;
      const admin = await identity.person({ organization: false });
      await identity.join(owner, admin, 'admin');
      const end = (id: string, token: string) =>
        identity.http[method](`${path}/${id}${ending}`).set(bearer(token));
      const { body: service } = await identity.http
        .get('/api/services/social-publishing')
        .set(bearer(owner.token));
      const override = (userId: string, effect: string) =>
        identity.http
          .put(`${organization}/members/${userId}/permission-overrides`)
          .set(bearer(owner.token))
          .send({ overrides: [{ permission: `${service.id}.api_keys:write`, effect }] })
          .expect(200);
      const { body: kept } = await post(path, owner.token, GRANT).expect(201);
      await override(admin.id, 'deny');
      const refused = [
        await post(path, admin.token, GRANT).expect(403),
        await post(`${path}/${kept.id}/rotate`, admin.token).expect(403),
        await end(kept.id, admin.token).expect(403),
      ];
      for (const { body } of refused)
        expect(body).toMatchObject({ code: 'insufficient_scope', requiredScopes: ['api_keys.write'] });
      await validate(kept.key ? { 'X-Api-Key': kept.key } : bearer(kept.token)).expect(200);
      const contacts = { name: 'Robot', service: 'contact-management', scopes: ['contacts.read'] };
      const { body: other } = await post(path, admin.token, contacts).expect(201);
      await end(other.id, admin.token).expect(200);
      await override(admin.id, 'allow');
      await post(path, admin.token, GRANT).expect(201);
      await override(member.id, 'allow');
      await post(path, member.token, GRANT).expect(403, /"role_not_enough"/);
    },
  );

  describe('/validate', () => {
    it('returns the same for GET and POST, with all organizations of the caller', async () => {
      const second = await post('/api/organizations', owner.token, { name: 'Another' }).expect(201);
      const byGet = await validate(bearer(owner.token)).expect(200);
      const byPost = await identity.http
        .post('/validate?service=social-publishing')
        .set(asService)
        .set(bearer(owner.token))
        .expect(200);
      expect(byPost.body).toEqual(byGet.body);
      expect(byGet.body).toMatchObject({
        active: true,
        principal: { id: owner.id, type: 'user', email: owner.email },
        service: { slug: 'social-publishing', id: expect.any(String) },
      });
      expect(byGet.body.organizations.map(({ id }: { id: string }) => id).sort()).toEqual(
        [owner.organizationId, second.body.id].sort(),
      );
      expect(byGet.body.organizations[0].scopes).toHaveLength(9);
    });

    it.each([
      ['nothing', {}],
      ['a token that was never given', bearer('copa_' + 'A'.repeat(43))],
      ['a token of another issuer', bearer('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl')],
      ['another scheme', { Authorization: 'Basic YTpi' }],
      ['a malformed header', { Authorization: 'Bearer' }],
      ['a key with a wrong checksum', { 'X-Api-Key': `cop_live_${'a'.repeat(36)}` }],
      ['an empty key', { 'X-Api-Key': '' }],
    ])('401: %s', async (_, headers) => {
      const { body, headers: answered } = await validate(headers as Record<string, string>).expect(401);
      expect(body.code).toBe('unauthenticated');
      expect(answered['www-authenticate']).toContain('Bearer');
    });

    it('accepts secrets hashed with a former key', async () => {
      const { body: robot } = await post(
        `/api/organizations/${owner.organizationId}/service-principals`,
        ...[owner.token, GRANT],
      ).expect(201);
      const { body: key } = await post(
        `/api/organizations/${owner.organizationId}/api-keys`,
        ...[owner.token, GRANT],
      ).expect(201);
      const pepper = (version: number, byte: number) =>
        `${version}:${Buffer.alloc(32, byte).toString('base64')}`;
      const environment = {
        ...identity.test.environment,
        IDENTITY_PEPPERS: `${pepper(2, 8)},${pepper(1, 7)}`,
      };
      const later = await bootIdentity(environment);
      for (const headers of [bearer(owner.token), bearer(robot.token), { 'X-Api-Key': key.key }])
        await later.http.get('/validate?service=agent').set(asService).set(headers).expect(200);
      await later.close();
    });

    it('records the last use of a session once a minute', async () => {
      const { id, token } = await identity.person();
      const lastUsed = async (change: string) => {
        const sql = `UPDATE identity.session SET last_used_at = ${change} WHERE user_id = $1 RETURNING last_used_at`;
        const [row] = await identity.test.database.query<{ last_used_at: Date }>(sql, [id]);
        return Number(row?.last_used_at);
      };
      const old = await lastUsed(`now() - interval '61 seconds'`);
      await validate(bearer(token)).expect(200);
      expect(await lastUsed('last_used_at')).toBeGreaterThan(old);
      // Ahead of now, it cannot grow old while the test waits.
      const fresh = await lastUsed(`now() + interval '1 day'`);
      await validate(bearer(token)).expect(200);
      expect(await lastUsed('last_used_at')).toBe(fresh);
    });

    it('401: a refresh token is not a credential', async () => {
      await validate(bearer((await identity.person()).refreshToken)).expect(401);
    });

    it('401: an expired token', async () => {
      const person = await identity.person();
      await identity.test.database.query(
        `UPDATE identity.access_token SET expires_at = now()
          WHERE session_id IN (SELECT id FROM identity.session WHERE user_id = $1)`,
        [person.id],
      );
      await validate(bearer(person.token)).expect(401);
    });

    it('404: an unregistered service, for valid credentials only', async () => {
      await validate(bearer(owner.token), 'nothing').expect(404);
      await validate({}, 'nothing').expect(401);
      const without = await identity.http
        .get('/validate')
        .set(asService)
        .set(bearer(owner.token))
        .expect(200);
      expect(without.body.service).toBeNull();
      expect(without.body.organizations[0].scopes).toEqual([]);
    });
  });
});
