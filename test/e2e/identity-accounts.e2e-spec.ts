import { randomUUIDv7 } from 'node:crypto';
import { jest } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { Database, DatabaseIsUnavailable } from '#libs/database';
import { Leases } from '#libs/due-work';
import { UserAccounts } from '../../src/platform/identity/accounts/user-accounts.js';
import { LoginLimits, TooManyAttempts } from '../../src/platform/identity/accounts/limits/login-limits.js';
import {
  PasswordHasher,
  TooManySignIns,
} from '../../src/platform/identity/accounts/passwords/password-hasher.js';
import { AuditRetention } from '../../src/platform/identity/audit/audit-retention.js';
import { decryptResponse } from '../../src/platform/identity/accounts/sessions/refresh-response.js';
import { ExpirySweep } from '../../src/platform/identity/expiry-sweep.js';
import { bearer, type BootedIdentity, bootIdentity, PASSWORD } from '../support/boot-identity.js';

describe('accounts and sessions of identity', () => {
  let identity: BootedIdentity;

  beforeAll(async () => {
    identity = await bootIdentity();
  });
  afterAll(() => identity.close());

  const register = (body: object) => identity.http.post('/register').send(body);
  const login = (email: string, password: string) =>
    identity.http.post('/api/auth/login').send({ email, password });
  const refresh = (refreshToken: string) => identity.http.post('/api/auth/refresh').send({ refreshToken });
  const me = (token: string) => identity.http.get('/api/auth/me').set(bearer(token));

  describe('POST /register', () => {
    it('201: creates a signed-in account, with an organization only on request', async () => {
      const response = await register({ email: 'plain@example.com', password: PASSWORD, name: 'Plain' });
      expect(response.status).toBe(201);
      expect(response.body).toMatchObject({ tokenType: 'Bearer', organization: null });
      expect(response.body.user).toEqual({
        ...{ id: expect.any(String), name: 'Plain', email: 'plain@example.com' },
        ...{ principalType: 'user', principalServices: [], launcherEligible: true },
        ...{ selectedHouseholdId: null, selectedHousehold: null },
      });
      await me(response.body.accessToken).expect(200);
    });

    it('201: seeds a developer workspace with its creator as owner', async () => {
      const response = await register({
        ...{ email: 'dev@example.com', password: PASSWORD, name: 'Dev' },
        ...{ createOrganization: true, developerWorkspace: true, organizationName: 'Workshop' },
      }).expect(201);
      expect(response.body.organization).toMatchObject({
        ...{ name: 'Workshop', role: 'owner', developerWorkspace: true },
      });
      const mine = await me(response.body.accessToken);
      expect(mine.body.organizations).toEqual([
        { id: response.body.organization.id, name: 'Workshop', role: 'owner' },
      ]);
    });

    it('201: names the organization after the person, whole characters only', async () => {
      const name = `a${'\u{1f600}'.repeat(119)}`;
      const { body } = await register({
        ...{ email: 'long@example.com', password: PASSWORD, name, createOrganization: true },
      }).expect(201);
      expect(body.organization.name).toBe(name);
    });

    it('201: trims the space at the end of a shortened name', async () => {
      const name = 'a'.repeat(117);
      const { body } = await register({
        ...{ email: 'cut@example.com', password: PASSWORD, name, createOrganization: true },
      }).expect(201);
      expect(body.organization.name).toBe(`${name}’s`);
    });

    it.each([
      ['an address that is none', { email: 'nobody' }, '#/email'],
      ['a short password', { password: 'short' }, '#/password'],
      ['a password everybody has', { password: 'Password123!' }, '#/password'],
      ['an empty name', { name: '  ' }, '#/name'],
      ['an unknown field', { admin: true }, '#/admin'],
      ['a workspace without an organization', { developerWorkspace: true }, '#/developerWorkspace'],
      ['a name with control characters', { name: 'a\u0007b' }, '#/name'],
      ['a name of two lines', { name: 'a\u2028b' }, '#/name'],
      ['a name of more than 120 characters', { name: 'é'.repeat(121) }, '#/name'],
      [
        'nothing for what may be left out',
        { createOrganization: true, developerWorkspace: null },
        '#/developerWorkspace',
      ],
    ])('400: %s', async (_, change, pointer) => {
      const body = { email: 'bad@example.com', password: PASSWORD, name: 'Bad', ...change };
      const response = await register(body);
      expect(response.status).toBe(400);
      expect(response.headers['content-type']).toContain('application/problem+json');
      expect(response.body.errors[0].pointer).toBe(pointer);
    });

    it.each(['\u200b', '\u200d', '\u00ad', '\u2060', '\u3164', '\ufe0f', '\u202e'])(
      '400: an address that looks like another one for its invisible character %j',
      async (invisible) => {
        const email = `ada${invisible}@looks-alike.example`;
        const { body } = await register({ email, password: PASSWORD, name: 'Ada' }).expect(400);
        expect(body.errors).toMatchObject([{ pointer: '#/email' }]);
      },
    );

    it.each(['\u202eadA', 'Ada\u2066x', 'Ada\u061cx'])(
      '400: a name that reorders the text around it: %j',
      async (name) => {
        const { body } = await register({ email: 'order@example.com', password: PASSWORD, name }).expect(400);
        expect(body.errors).toMatchObject([{ pointer: '#/name' }]);
      },
    );

    it('400: the own address as the password', async () => {
      const email = 'q7-Xylophone-Quartz@example.com';
      const { body } = await register({ email, password: email.toUpperCase(), name: 'Ada' }).expect(400);
      expect(body.code).toBe('password_too_common');
    });

    it('409: a registered address in any spelling, also for concurrent registrations', async () => {
      const body = { email: 'taken@example.com', password: PASSWORD, name: 'One' };
      const both = await Promise.all([register(body), register(body)]);
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
      const spelled = await register({ ...body, email: ' Taken\uff20EXAMPLE.com ' });
      expect(spelled.status).toBe(409);
      expect(spelled.body.code).toBe('email_taken');
    });

    it.each([
      ['ada@müller.example', 'ada@xn--mller-kva.example'],
      ['ada@xn--fa-hia.example', 'ada@faß.example'],
    ])('409: the other spelling of the domain of %s, which signs in too', async (email, other) => {
      await register({ email, password: PASSWORD, name: 'Ada' }).expect(201);
      const { body } = await register({ email: other, password: PASSWORD, name: 'Ada' }).expect(409);
      expect(body.code).toBe('email_taken');
      await login(other, PASSWORD).expect(200);
    });
  });

  describe('POST /api/auth/login', () => {
    it('200: with the right password, in any spelling of the address', async () => {
      const { email, id } = await identity.person();
      const response = await login(email.toUpperCase(), PASSWORD).expect(200);
      expect(response.body).toMatchObject({ tokenType: 'Bearer', user: { id, email } });
      expect(response.body.accessToken).toMatch(/^copa_[\w-]{43}$/);
      expect(response.headers['cache-control']).toContain('no-store');
      await me(response.body.accessToken).expect(200);
    });

    it('200: with a password that was accepted before it counted as common', async () => {
      const { email, id } = await identity.person();
      const former = await hash('password', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
      await identity.test.database.query(
        'UPDATE identity.user_account SET password_hash = $2 WHERE id = $1',
        [id, former],
      );
      await login(email, 'password').expect(200);
    });

    it('401: the same response for a wrong password, an unknown address and a disabled account', async () => {
      const [{ email }, disabled] = [await identity.person(), await identity.person()];
      await identity.test.database.query(
        'UPDATE identity.user_account SET disabled_at = now() WHERE id = $1',
        [disabled.id],
      );
      const answers = await Promise.all([
        login(email, 'not the password'),
        login('nobody@example.com', 'not the password'),
        login(disabled.email, PASSWORD),
      ]);
      for (const { status, body } of answers) {
        expect(status).toBe(401);
        expect({ ...body, requestId: '', instance: '' }).toEqual({
          ...answers[0]?.body,
          ...{ requestId: '', instance: '' },
        });
      }
    });

    it('400: without a password', async () => {
      await identity.http.post('/api/auth/login').send({ email: 'a@example.com' }).expect(400);
    });

    it('rehashes a password with the current parameters', async () => {
      const { email, id } = await identity.person();
      const { hash } = await import('@node-rs/argon2');
      const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
      await identity.test.database.query(
        'UPDATE identity.user_account SET password_hash = $2 WHERE id = $1',
        [...[id, old]],
      );
      await login(email, PASSWORD).expect(200);
      const [row] = await identity.test.database.query<{ password_hash: string }>(
        'SELECT password_hash FROM identity.user_account WHERE id = $1',
        [id],
      );
      expect(row?.password_hash).toContain('m=19456,t=2,p=1');
      await login(email, PASSWORD).expect(200);
    });

    it('stores no plain tokens or passwords', async () => {
      const { token, refreshToken } = await identity.person();
      const tables = ['access_token', 'refresh_token', 'session', 'user_account', 'audit_event'];
      for (const table of tables) {
        const rows = await identity.test.database.query(`SELECT * FROM identity.${table}`);
        const text = JSON.stringify(rows);
        for (const secret of [token, refreshToken, PASSWORD]) expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(token).toString('hex'));
      }
    });
  });

  it.each([
    ['user', true, true],
    ['user', false, false],
    ['external', true, false],
  ])('let %ss (stored: %s) open the launcher: %s', async (type, stored, may) => {
    const { id, email } = await identity.person();
    await identity.test.database.query(
      `INSERT INTO identity.user_account (id, email, email_key, name, password_hash, principal_type, launcher_eligible)
       SELECT gen_random_uuid(), $2, $2, name, password_hash, $3, $4 FROM identity.user_account WHERE id = $1`,
      [id, `${type}.${email}`, type, stored],
    );
    const { body } = await login(`${type}.${email}`, PASSWORD).expect(200);
    expect(body.user).toMatchObject({ principalType: type, launcherEligible: may });
    const validated = await me(body.accessToken as string).expect(200);
    expect(validated.body).toMatchObject({ principalType: type, launcherEligible: may });
  });

  describe('POST /api/auth/refresh', () => {
    it('200: a new pair for each refresh token, once', async () => {
      const person = await identity.person();
      const renewed = await refresh(person.refreshToken).expect(200);
      expect(renewed.body.accessToken).not.toBe(person.token);
      await me(renewed.body.accessToken).expect(200);
      await refresh(renewed.body.refreshToken).expect(200);
    });

    /** As if the refresh had been this long ago. */
    const passed = (seconds: number, userId: string) =>
      identity.test.database.query(
        `UPDATE identity.refresh_token SET used_at = used_at - $1::int * interval '1 second'
          WHERE session_id IN (SELECT id FROM identity.session WHERE user_id = $2)`,
        [seconds, userId],
      );

    it('200: the same response for a retry of the same client, until it uses the new tokens', async () => {
      const person = await identity.person();
      const first = await refresh(person.refreshToken).expect(200);
      await passed(25, person.id);
      for (let i = 0; i < 2; i += 1)
        expect((await refresh(person.refreshToken).expect(200)).body).toEqual(first.body);
      await me(first.body.accessToken).expect(200);
      const second = await refresh(first.body.refreshToken).expect(200);
      await refresh(person.refreshToken).expect(401);
      await me(second.body.accessToken).expect(401);
    });

    it('200: one pair for 20 concurrent requests', async () => {
      const person = await identity.person();
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(person.refreshToken)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      await me(answers[0]?.body.accessToken).expect(200);
    });

    it.each([
      ['after 30 seconds', 31, {}],
      ['from another program', 0, { 'User-Agent': 'stolen/1.0' }],
    ])('401: a token reused %s revokes the whole family', async (_, seconds, headers) => {
      const person = await identity.person();
      const renewed = await refresh(person.refreshToken).expect(200);
      await passed(seconds, person.id);
      await refresh(person.refreshToken).set(headers).expect(401);
      await me(renewed.body.accessToken).expect(401);
      await me(person.token).expect(401);
      await refresh(renewed.body.refreshToken).expect(401);
      await refresh(person.refreshToken).expect(401);
      const audits = await identity.test.database.query(
        `SELECT FROM identity.audit_event WHERE action = 'authn_token_reuse' AND subject_id = $1`,
        [person.id],
      );
      expect(audits).toHaveLength(1);
    });

    it('401: no replayed response after the session ended', async () => {
      const person = await identity.person();
      const { body } = await refresh(person.refreshToken).expect(200);
      await identity.http.post('/api/auth/logout').set(bearer(body.accessToken)).expect(204);
      await refresh(person.refreshToken).expect(401);
    });

    it('stores the response encrypted, for the grace period only', async () => {
      const person = await identity.person();
      const { body } = await refresh(person.refreshToken).expect(200);
      const kept = () =>
        identity.test.database.query<{ answer: Buffer }>(
          `SELECT answer FROM identity.refresh_token t JOIN identity.session s ON s.id = t.session_id
            WHERE s.user_id = $1 AND answer IS NOT NULL`,
          [person.id],
        );
      const [row] = await kept();
      expect(row?.answer.toString('latin1')).not.toContain(body.accessToken);
      expect(decryptResponse(person.refreshToken, row?.answer as Buffer).accessToken).toBe(body.accessToken);
      expect(() => decryptResponse(body.refreshToken, row?.answer as Buffer)).toThrow();
      await passed(31, person.id);
      await identity.service.app.get(ExpirySweep).sweep();
      expect(await kept()).toEqual([]);
    });

    it.each([['nonsense'], ['copr_' + 'A'.repeat(43)]])('401: %s', async (token) => {
      await refresh(token).expect(401);
    });

    it('401: an access token is no refresh token', async () => {
      await refresh((await identity.person()).token).expect(401);
    });

    it('401: an expired token', async () => {
      const person = await identity.person();
      await identity.test.database.query(
        `UPDATE identity.refresh_token SET expires_at = now() - interval '1 second'
          WHERE session_id IN (SELECT id FROM identity.session WHERE user_id = $1)`,
        [person.id],
      );
      await refresh(person.refreshToken).expect(401);
    });

    it('400: without a token', async () => {
      await identity.http.post('/api/auth/refresh').send({}).expect(400);
    });
  });

  describe('POST /api/auth/revoke', () => {
    const revoke = (body: object) => identity.http.post('/api/auth/revoke').send(body);

    it.each(['refresh token', 'refresh token that was used', 'access token'])(
      '200: a %s ends its session and every token of it, as a form as RFC 7009 has it',
      async (kind) => {
        const [person, other] = [await identity.person(), await identity.person()];
        const { body } = await refresh(person.refreshToken).expect(200);
        const token = {
          'refresh token': body.refreshToken,
          'refresh token that was used': person.refreshToken,
          'access token': body.accessToken,
        }[kind] as string;
        await revoke({ token, token_type_hint: 'nonsense', client_id: 'app' }).type('form').expect(200);
        for (const accessToken of [person.token, body.accessToken]) await me(accessToken).expect(401);
        await refresh(body.refreshToken).expect(401);
        await revoke({ token }).expect(200);
        await me(other.token).expect(200);
        const [event, ...more] = await identity.test.database.query(
          `SELECT actor_type, actor_id FROM identity.audit_event
            WHERE action = 'authn_token_revoked' AND subject_id = $1`,
          [person.id],
        );
        expect([event, more]).toEqual([{ actor_type: 'user', actor_id: person.id }, []]);
      },
    );

    it('200: for an unknown token', async () => {
      for (const token of ['nonsense', '', 'copr_' + 'A'.repeat(43)]) await revoke({ token }).expect(200);
    });

    it('400: without a token, and for credentials of automations', async () => {
      await revoke({}).expect(400);
      for (const token of ['cops_' + 'A'.repeat(43), 'cop_live_x'])
        await revoke({ token }).expect(400, /"unsupported_token_type"/);
    });
  });

  describe('sessions', () => {
    it('are listed with the current one marked, without those of other users', async () => {
      const person = await identity.person();
      await identity.person();
      await identity.http
        .post('/api/auth/login')
        .set('User-Agent', 'phone')
        .send({ email: person.email, password: PASSWORD });
      const response = await identity.http.get('/api/auth/sessions').set(bearer(person.token)).expect(200);
      expect(response.body.data).toHaveLength(2);
      expect(response.body.data.map((one: { current: boolean }) => one.current)).toEqual([false, true]);
      expect(response.body.data[0].userAgent).toBe('phone');
    });

    it('are listed until they expire', async () => {
      const person = await identity.person();
      const second = (await login(person.email, PASSWORD).expect(200)).body.accessToken as string;
      const expire = (table: string) =>
        identity.test.database.query(
          `UPDATE identity.${table} SET expires_at = now() - interval '1 second'
            WHERE session_id = (SELECT id FROM identity.session WHERE user_id = $1 ORDER BY id LIMIT 1)`,
          [person.id],
        );
      const listed = async () =>
        (await identity.http.get('/api/auth/sessions').set(bearer(second)).expect(200)).body.data.length;
      await expire('access_token');
      expect(await listed()).toBe(2);
      await expire('refresh_token');
      expect(await listed()).toBe(1);
    });

    it('end with the next request after signing out', async () => {
      const person = await identity.person();
      await identity.http.post('/api/auth/logout').set(bearer(person.token)).expect(204);
      const refused = await me(person.token).expect(401);
      expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
      await refresh(person.refreshToken).expect(401);
      await identity.http.post('/api/auth/logout').set(bearer(person.token)).expect(401);
    });

    it('end separately, also when all are signed out with one Idempotency-Key', async () => {
      const person = await identity.person();
      const second = (await login(person.email, PASSWORD).expect(200)).body.accessToken as string;
      for (const token of [person.token, second]) {
        const headers = { ...bearer(token), 'Idempotency-Key': 'sign-out' };
        await identity.http.post('/api/auth/logout').set(headers).expect(204);
        await me(token).expect(401);
      }
    });

    it('end one by one; 404 for those of other users', async () => {
      const [person, other] = [await identity.person(), await identity.person()];
      const second = (await login(person.email, PASSWORD)).body.accessToken;
      const list = await identity.http.get('/api/auth/sessions').set(bearer(second));
      const first = list.body.data.find((one: { current: boolean }) => !one.current).id;
      const end = (token: string, id: string) =>
        identity.http.delete(`/api/auth/sessions/${id}`).set(bearer(token));
      await end(other.token, first).expect(404);
      await end(second, 'nonsense').expect(404);
      await end(second, first).expect(204);
      await end(second, first).expect(404);
      await me(person.token).expect(401);
      await me(second).expect(200);
    });

    it('end with the account', async () => {
      const person = await identity.person();
      await identity.test.database.query(
        'UPDATE identity.user_account SET disabled_at = now() WHERE id = $1',
        [person.id],
      );
      await me(person.token).expect(401);
      await refresh(person.refreshToken).expect(401);
    });

    it.each([
      ['get', '/api/auth/me'],
      ['get', '/api/auth/sessions'],
      ['post', '/api/auth/logout'],
      ['put', '/api/auth/me/password'],
    ] as const)('401: %s %s without a token', async (method, path) => {
      const { headers } = await identity.http[method](path).expect(401);
      expect(headers['www-authenticate']).toBe('Bearer realm="identity"');
    });

    it('are deleted after the retention period only', async () => {
      const [old, current] = [await identity.person(), await identity.person()];
      const age = (what: string, userId: string) =>
        identity.test.database.query(`UPDATE identity.session SET ${what} WHERE user_id = $1`, [userId]);
      await age(`revoked_at = now() - interval '91 days'`, old.id);
      await age(`last_used_at = now() - interval '91 days'`, current.id);
      await identity.service.app.get(ExpirySweep).sweep();
      const rows = await identity.test.database.query<{ user_id: string }>(
        'SELECT user_id FROM identity.session WHERE user_id = ANY ($1)',
        [[old.id, current.id]],
      );
      expect(rows).toEqual([{ user_id: current.id }]);
      await me(current.token).expect(200);
      await refresh(current.refreshToken).expect(200);
    });
  });

  describe('PUT /api/auth/me/password', () => {
    const NEW = 'another horse, another battery';
    const change = (token: string, currentPassword: string, newPassword: string) =>
      identity.http.put('/api/auth/me/password').set(bearer(token)).send({ currentPassword, newPassword });

    it('204: ends every other session', async () => {
      const person = await identity.person();
      const second = (await login(person.email, PASSWORD)).body.accessToken;
      await change(second, PASSWORD, NEW).expect(204);
      await me(second).expect(200);
      await me(person.token).expect(401);
      await login(person.email, PASSWORD).expect(401);
      await login(person.email, NEW).expect(200);
    });

    it('401 for a wrong password, 400 for a common password', async () => {
      const person = await identity.person();
      await change(person.token, 'wrong', NEW).expect(401);
      await change(person.token, PASSWORD, 'Password123!').expect(400);
    });
  });

  describe('account events', () => {
    const events = async (path: string, token: string, status = 200) => {
      const { body } = await identity.http.get(path).set(bearer(token)).expect(status);
      return (body.data ?? []) as { action: string; actor: { id: string | null }; address: string }[];
    };
    const actions = (list: readonly { action: string }[]) => list.map(({ action }) => action);

    it('are listed for the account', async () => {
      const [person, other] = [await identity.person(), await identity.person()];
      await login(person.email, 'wrong guess').expect(401);
      const { body } = await login(person.email, PASSWORD).expect(200);
      await identity.http.post('/api/auth/logout').set(bearer(body.accessToken)).expect(204);
      const passwords = { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` };
      await identity.http.put('/api/auth/me/password').set(bearer(person.token)).send(passwords).expect(204);
      await refresh(person.refreshToken).expect(200);
      const mine = await events('/api/auth/me/account-events', person.token);
      expect(actions(mine)).toEqual([
        ...[
          'authn_password_change',
          'authn_token_revoked',
          'authn_login_success',
          'authn_login_fail',
          'user_created',
        ],
      ]);
      expect(mine.at(-2)).toMatchObject({ actor: { id: null }, address: expect.any(String) });
      expect(actions(await events('/api/auth/me/account-events', other.token))).toEqual(['user_created']);
    });

    it('of members, since they joined and until they leave, are shown to administrators only', async () => {
      const [owner, member, stranger] = [
        await identity.person(),
        await identity.person({ organization: false }),
        await identity.person(),
      ];
      await login(member.email, PASSWORD).expect(200);
      await identity.join(owner, member, 'member');
      await login(member.email, 'wrong guess').expect(401);
      const path = `/api/organizations/${owner.organizationId}/account-events`;
      const seen = await events(path, owner.token);
      expect(actions(seen)).toEqual(['authn_login_fail', 'user_created']);
      expect(seen[1]).toMatchObject({ actor: { id: owner.id } });
      await events(path, member.token, 403);
      await events(path, stranger.token, 404);
      await identity.http
        .delete(`/api/organizations/${owner.organizationId}/members/${member.id}`)
        .set(bearer(owner.token))
        .expect(204);
      expect(actions(await events(path, owner.token))).toEqual(['user_created']);
    });

    it('with addresses are deleted after the retention period only, by one replica at a time', async () => {
      const old = randomUUIDv7();
      const add = (id: string, days: number, address: string | null) =>
        identity.test.database.query(
          `INSERT INTO identity.audit_event (id, at, action, result, actor_type, address)
           VALUES ($1, now() - $2::int * interval '1 day', 'authn_login_fail', 'failure', 'anonymous', $3)`,
          [id, days, address],
        );
      await add(old, 366, '192.0.2.1');
      const kept = [randomUUIDv7(), randomUUIDv7()];
      await add(kept[0] ?? '', 364, '192.0.2.1');
      await add(kept[1] ?? '', 366, null);
      const retention = identity.service.app.get(AuditRetention);
      const lease = await identity.service.app
        .get(Leases)
        .acquire(identity.service.app.get(Database), ['sweep:identity-audit'], 60_000);
      expect(await retention.sweep()).toBe(false);
      await identity.service.app.get(Leases).release(identity.service.app.get(Database), lease);
      expect(await retention.sweep()).toBe(true);
      const rows = await identity.test.database.query<{ id: string }>(
        'SELECT id FROM identity.audit_event WHERE id = ANY ($1) ORDER BY id',
        [[old, ...kept]],
      );
      expect(rows.map(({ id }) => id)).toEqual([...kept].sort());
      for (const sql of ['DELETE FROM', 'TRUNCATE'])
        await expect(identity.test.database.query(`${sql} identity.audit_event`)).rejects.toThrow(
          'append-only',
        );
    });
  });

  it('returns 404 for routes of other services', async () => {
    const { token } = await identity.person();
    for (const path of ['/sso/handoff', '/api/developer-portal/apps', '/api/developer-console/apps']) {
      await identity.http.get(path).set(bearer(token)).expect(404);
      await identity.http.post(path).set(bearer(token)).send({}).expect(404);
    }
  });
});

describe('limits of signing in', () => {
  let identity: BootedIdentity;
  const reserve = async (limits: LoginLimits, ...[emailKey, origin]: Parameters<LoginLimits['countersOf']>) =>
    limits.reserve(await limits.countersOf(emailKey, origin));

  beforeAll(async () => {
    identity = await bootIdentity({ TRUST_PROXY_HOPS: '1' });
  });
  afterAll(() => identity.close());

  const login = (email: string, password: string, address = '192.0.2.1') =>
    identity.http.post('/api/auth/login').set('X-Forwarded-For', address).send({ email, password });

  /** As if there had been this many failures of that kind already; nobody has to wait for them. */
  const pretend = (kind: 'pair' | 'account' | 'address', failures: number) =>
    identity.test.database.query('UPDATE identity.login_limit SET failures = $2 WHERE key LIKE $1', [
      ...[`${kind}:%`, failures],
    ]);
  const waitIsOver = () =>
    identity.test.database.query('UPDATE identity.login_limit SET blocked_until = now()');

  beforeEach(() => identity.test.database.query('DELETE FROM identity.login_limit'));

  it('delay after failures, for known and unknown accounts, and accept the right password after the wait', async () => {
    const { email } = await identity.person();
    for (const who of [email, 'nobody@example.com']) {
      for (let i = 0; i < 5; i += 1) await login(who, 'wrong guess').expect(401);
      await pretend('pair', 10);
      await login(who, 'wrong guess').expect(401);
      const refused = await login(who, 'wrong guess').expect(429);
      expect(refused.body.code).toBe('too_many_attempts');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(20);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(32);
    }
    await login(email, PASSWORD).expect(429);
    await login(email, PASSWORD, '192.0.2.2').expect(200);
    await waitIsOver();
    await login(email, PASSWORD).expect(200);
    for (let i = 0; i < 5; i += 1) await login(email, 'wrong guess').expect(401);
    await login(email, PASSWORD).expect(200);
  });

  it('count concurrent guesses separately', async () => {
    const { email } = await identity.person();
    await login(email, 'wrong guess').expect(401);
    await pretend('pair', 12);
    const answers = await Promise.all(Array.from({ length: 30 }, () => login(email, 'wrong guess')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(29);
  });

  it('apply to an account over many addresses, for a minute at most', async () => {
    const { email } = await identity.person();
    await login(email, 'wrong guess', '198.51.100.1').expect(401);
    await pretend('account', 1000);
    await login(email, 'wrong guess', '198.51.100.2').expect(401);
    const refused = await login(email, PASSWORD, '198.51.100.3').expect(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    await waitIsOver();
    await login(email, PASSWORD, '198.51.100.3').expect(200);
  });

  describe('for known addresses and devices of an account', () => {
    const HOME = '203.0.113.7';
    const sql = (text: string, values: unknown[] = []) => identity.test.database.query(text, values);
    /** Somebody who has signed in at home; and a stranger who never stops guessing. */
    const besieged = async (home = HOME) => {
      const person = await identity.person();
      await login(person.email, PASSWORD, home).expect(200);
      await login(person.email, 'wrong guess', '198.51.100.1').expect(401);
      await pretend('account', 1000);
      await login(person.email, 'wrong guess', '198.51.100.2').expect(401);
      await login(person.email, PASSWORD, '198.51.100.3').expect(429);
      return person;
    };

    it('accept the owner during attacks from other addresses, without helping the attacker', async () => {
      const { email } = await besieged();
      for (let i = 0; i < 3; i += 1) {
        await login(email, PASSWORD, HOME).expect(200);
        await login(email, 'wrong guess', '198.51.100.3').expect(429);
      }
    });

    it('apply to the pair and to the address there too', async () => {
      const { email } = await besieged();
      await login(email, 'wrong guess', HOME).expect(401);
      await pretend('pair', 10);
      await login(email, 'wrong guess', HOME).expect(401);
      await login(email, PASSWORD, HOME).expect(429);
    });

    it('store the latest thousand known addresses of an account at most', async () => {
      const { email, id } = await identity.person();
      await sql(
        `INSERT INTO identity.familiar_network (hash, hash_version, user_id, last_seen_at)
         SELECT sha256(n::text::bytea), 1, $1, now() - interval '1 day' FROM generate_series(1, 1200) n`,
        [id],
      );
      await login(email, PASSWORD, HOME).expect(200);
      const rows = await sql('SELECT FROM identity.familiar_network WHERE user_id = $1', [id]);
      expect(rows).toHaveLength(1_000);
      await login('a@example.com', 'wrong guess', HOME).expect(401);
      await pretend('address', 1000);
      await login('b@example.com', 'wrong guess', HOME).expect(401);
      await login(email, PASSWORD, HOME).expect(200);
    });

    it('store known addresses for some months, as hashes only', async () => {
      const { email } = await besieged();
      const rows = await sql('SELECT hash, user_id FROM identity.familiar_network');
      expect(JSON.stringify(rows)).not.toContain(HOME);
      await sql(`UPDATE identity.familiar_network SET last_seen_at = now() - interval '211 days'`);
      await login(email, PASSWORD, HOME).expect(429);
      await identity.service.app.get(ExpirySweep).sweep();
      expect(await sql('SELECT FROM identity.familiar_network')).toEqual([]);
    });

    it('keep only the address of a password change', async () => {
      const { email, token } = await besieged();
      const passwords = { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` };
      const change = (address: string) =>
        identity.http
          .put('/api/auth/me/password')
          .set({ ...bearer(token), 'X-Forwarded-For': address })
          .send(passwords);
      await login(email, PASSWORD, '203.0.113.8').expect(429);
      await change(HOME).expect(204);
      await login(email, passwords.newPassword, '127.0.0.1').expect(429);
      await login(email, passwords.newPassword, HOME).expect(200);
    });

    it('accept the owner there during attacks from the same address', async () => {
      const { email } = await identity.person();
      await login(email, PASSWORD, HOME).expect(200);
      await login('a@example.com', 'wrong guess', HOME).expect(401);
      await pretend('address', 1000);
      await login('b@example.com', 'wrong guess', HOME).expect(401);
      await login('c@example.com', 'wrong guess', HOME).expect(429);
      await login(email, PASSWORD, HOME).expect(200);
    });

    it('accept the owner on a known device during attacks from the same address', async () => {
      const { email } = await identity.person();
      const cookies = (await login(email, PASSWORD, HOME).expect(200)).headers['set-cookie'];
      const [cookie = ''] = String(cookies).split(';');
      expect(String(cookies)).toMatch(
        /^identity_device=[\w-]{22};.*Path=\/api\/auth\/login;.*HttpOnly; SameSite=Strict/,
      );
      await login(email, 'wrong guess', HOME).expect(401);
      await pretend('pair', 1000);
      await login(email, 'wrong guess', HOME).expect(401);
      await login(email, PASSWORD, HOME).expect(429);
      await login(email, PASSWORD, HOME).set('Cookie', cookie).expect(200);
      await login(email, PASSWORD, '198.51.100.77').set('Cookie', cookie).expect(200);
      await login(email, PASSWORD, HOME)
        .set('Cookie', 'identity_device=' + 'A'.repeat(22))
        .expect(429);
      const other = await identity.person();
      await login(other.email, 'wrong guess', HOME).expect(401);
      await pretend('pair', 1000);
      await login(other.email, 'wrong guess', HOME).set('Cookie', cookie).expect(401);
      await login(other.email, PASSWORD, HOME).set('Cookie', cookie).expect(429);
    });

    it('apply to a device too', async () => {
      const { email } = await identity.person();
      const [cookie = ''] = String((await login(email, PASSWORD, HOME)).headers['set-cookie']).split(';');
      await login(email, 'wrong guess', HOME).set('Cookie', cookie).expect(401);
      await pretend('pair', 10);
      await login(email, 'wrong guess', '198.51.100.9').set('Cookie', cookie).expect(401);
      await login(email, PASSWORD, '198.51.100.10').set('Cookie', cookie).expect(429);
    });

    it('treat all addresses of one IPv6 network as one', async () => {
      const { email } = await besieged('2001:db8:1:2::1');
      await login(email, PASSWORD, '2001:db8:1:3::1').expect(429);
      for (let i = 1; i <= 5; i += 1) await login(email, 'wrong guess', `2001:db8:1:2::${i}`).expect(401);
      await pretend('pair', 10);
      await login(email, 'wrong guess', '2001:db8:1:2::7').expect(401);
      await login(email, PASSWORD, '2001:db8:1:2::8').expect(429);
    });
  });

  it('apply to an address over many accounts; a successful sign-in does not reset it', async () => {
    const { email } = await identity.person();
    await login('a@example.com', 'wrong guess').expect(401);
    await pretend('address', 70);
    await login('b@example.com', 'wrong guess').expect(401);
    await login(email, PASSWORD).expect(429);
    await waitIsOver();
    await login(email, PASSWORD).expect(200);
    await login('c@example.com', 'wrong guess').expect(401);
    const refused = await login('d@example.com', 'wrong guess').expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600);
  });

  it.each([
    ['address56', '2001:db8:5:aa01::1', '2001:db8:5:aaff::1', '2001:db8:5:bb01::1'],
    ['address48', '2001:db8:6:aa01::1', '2001:db8:6:bb01::1', '2001:db8:7:aa01::1'],
  ] as const)('hold for the %s of an IPv6 address', async (kind, one, near, far) => {
    await login('a@example.com', 'wrong guess', one).expect(401);
    await identity.test.database.query('UPDATE identity.login_limit SET failures = 1000 WHERE key LIKE $1', [
      `${kind}:%`,
    ]);
    await login('b@example.com', 'wrong guess', one).expect(401);
    await login('c@example.com', 'wrong guess', near).expect(429);
    await login('d@example.com', 'wrong guess', far).expect(401);
  });

  it('are counted in metrics, including refused attempts', async () => {
    const { email } = await identity.person();
    const counts = async () => {
      const page = await (await fetch(`${identity.service.managementUrl}/metrics`)).text();
      const lines = page.split('\n').filter((line) => line.startsWith('identity_sign_in_attempts_total{'));
      return Object.fromEntries(
        lines.map((line) => [/"(\w+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
      );
    };
    const before = await counts();
    await login(email, PASSWORD).expect(200);
    await login(email, 'wrong guess').expect(401);
    await pretend('pair', 1000);
    await login(email, 'wrong guess').expect(401);
    for (let i = 0; i < 3; i += 1) await login(email, PASSWORD).expect(429);
    const after = await counts();
    const difference = (outcome: string) => (after[outcome] ?? 0) - (before[outcome] ?? 0);
    expect(['success', 'failure', 'throttled', 'unanswered'].map(difference)).toEqual([1, 2, 3, 0]);
  });

  it('are not reset for an address by a successful sign-in', async () => {
    const people = [await identity.person(), await identity.person()];
    await login('a@example.com', 'wrong guess').expect(401);
    await pretend('address', 70);
    for (const { email } of [...people, ...people]) await login(email, PASSWORD).expect(200);
  });

  it('apply when a guess fails during a successful sign-in at the same address', async () => {
    const limits = identity.service.app.get(LoginLimits);
    const [network, next] = [{ network: 'address:192.0.2.1', device: null }, 'c@example.com'];
    const right = await reserve(limits, 'a@example.com', network);
    await pretend('address', 70);
    await limits.fail(await reserve(limits, 'b@example.com', network));
    await limits.succeed(right);
    await expect(reserve(limits, next, network)).rejects.toThrow(TooManyAttempts);
    await waitIsOver();
    await limits.succeed(await reserve(limits, next, network));
    await limits.succeed(await reserve(limits, next, network));
  });

  describe('when the password could not be verified', () => {
    const counters = () =>
      identity.test.database.query<{ key: string; failures: number; blocked: boolean }>(
        `SELECT key, failures, blocked_until > now() AS blocked FROM identity.login_limit ORDER BY key`,
      );
    /** One failure, and as if there had been so many that each further one has to wait. */
    const failedOften = async (email: string) => {
      await login(email, 'wrong guess').expect(401);
      await identity.test.database.query('UPDATE identity.login_limit SET failures = 70');
    };

    afterEach(() => jest.restoreAllMocks());

    it.each([
      [
        'as too many are in line',
        new TooManySignIns(),
        () => jest.spyOn(identity.service.app.get(PasswordHasher), 'verify'),
      ],
      [
        'as the account could not be read',
        new DatabaseIsUnavailable(new Error('refused')),
        () => jest.spyOn(identity.service.app.get(UserAccounts), 'findByEmail'),
      ],
    ] as const)('count nothing and let the right one in, %s', async (_, error, spy) => {
      const { email } = await identity.person();
      await failedOften(email);
      const before = await counters();
      expect(before.map(({ failures, blocked }) => [failures, blocked])).toEqual(Array(3).fill([70, false]));
      const refused = spy().mockRejectedValue(error);
      for (let i = 0; i < 6; i += 1) await login(email, PASSWORD).expect(503);
      expect(await counters()).toEqual(before);
      refused.mockRestore();
      await login(email, PASSWORD).expect(200);
    });

    it('still count a concurrent wrong guess', async () => {
      const limits = identity.service.app.get(LoginLimits);
      const [who, network] = ['a@example.com', { network: 'address:192.0.2.1', device: null }];
      const attempt = await reserve(limits, who, network);
      await identity.test.database.query('UPDATE identity.login_limit SET failures = 70');
      await limits.fail(await reserve(limits, who, network));
      await limits.cancel(attempt);
      expect((await counters()).map(({ failures, blocked }) => [failures, blocked])).toEqual(
        Array(3).fill([70, true]),
      );
    });

    it('count none of many concurrent attempts', async () => {
      const limits = identity.service.app.get(LoginLimits);
      const attempts = await Promise.all(
        Array.from({ length: 5 }, () =>
          reserve(limits, 'a@example.com', { network: 'address:192.0.2.1', device: null }),
        ),
      );
      await Promise.all(attempts.map((attempt) => limits.cancel(attempt)));
      expect((await counters()).map(({ failures }) => failures)).toEqual([0, 0, 0]);
    });
  });

  describe('of an address', () => {
    const passes = (minutes: number) =>
      identity.test.database.query(
        `UPDATE identity.login_limit SET last_failed_at = last_failed_at - $1::int * interval '1 minute'`,
        [minutes],
      );
    const failedOften = async () => {
      await login('a@example.com', 'wrong guess').expect(401);
      await pretend('address', 70);
      await passes(50);
    };

    it('drop its failures after an hour, independent of its use', async () => {
      const { email } = await identity.person();
      await failedOften();
      await login(email, PASSWORD).expect(200);
      await passes(11);
      for (const who of ['b@example.com', 'c@example.com']) await login(who, 'wrong guess').expect(401);
    });

    it('keep failures while others follow within the hour', async () => {
      await failedOften();
      await login('b@example.com', 'wrong guess').expect(401);
      await passes(11);
      await waitIsOver();
      await login('c@example.com', 'wrong guess').expect(401);
      await login('d@example.com', 'wrong guess').expect(429);
    });
  });

  it('expire after an hour', async () => {
    const { email } = await identity.person();
    await login(email, 'wrong guess').expect(401);
    await pretend('pair', 1000);
    await identity.test.database.query(
      `UPDATE identity.login_limit SET last_failed_at = now() - interval '61 minutes'`,
    );
    await login(email, 'wrong guess').expect(401);
    await login(email, PASSWORD).expect(200);
  });
});
