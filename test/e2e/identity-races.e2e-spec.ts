import { hash, type Options } from '@node-rs/argon2';
import { PASSWORD_COST } from '../../src/platform/identity/accounts/passwords/password-hasher.js';
import {
  bearer,
  type BootedIdentity,
  bootIdentity,
  PASSWORD,
  type Person,
} from '../support/boot-identity.js';
import { RowLock } from '../support/row-lock.js';

const GRANT = { name: 'Robot', service: 'social-publishing', scopes: ['posts.read'] };

describe('requests of identity that meet', () => {
  let identity: BootedIdentity;

  beforeAll(async () => {
    identity = await bootIdentity();
  });
  afterAll(() => identity.close());

  const post = (path: string, token: string, body: object = {}) =>
    identity.http.post(path).set(bearer(token)).send(body);

  describe('of who administers no more when its turn comes', () => {
    let owner: Person;
    let admin: Person;
    let member: Person;
    let newcomer: Person;
    let organization: string;
    let invitationId: string;
    let keyId: string;
    let principalId: string;

    beforeEach(async () => {
      owner = await identity.person();
      organization = `/api/organizations/${owner.organizationId}`;
      const [one, two, three] = await Promise.all([
        ...[1, 2, 3].map(() => identity.person({ organization: false })),
      ]);
      [admin, member, newcomer] = [one as Person, two as Person, three as Person];
      await identity.join(owner, admin, 'admin');
      await identity.join(owner, member, 'viewer');
      const invited = { email: 'invited@example.com', role: 'viewer' };
      invitationId = (await post(`${organization}/invitations`, owner.token, invited).expect(201)).body.id;
      keyId = (await post(`${organization}/api-keys`, owner.token, GRANT).expect(201)).body.id;
      principalId = (await post(`${organization}/service-principals`, owner.token, GRANT).expect(201)).body
        .id;
    });

    const of = (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) => {
      const sent = identity.http[method](`${organization}${path}`).set(bearer(admin.token));
      return (body ? sent.send(body) : sent).then(({ status }) => status);
    };
    const everything = () => [
      of('post', '/members', { email: newcomer.email, role: 'viewer' }),
      of('post', '/invitations', { userId: newcomer.id, role: 'viewer' }),
      of('post', `/invitations/${invitationId}/resend`),
      of('delete', `/invitations/${invitationId}`),
      of('patch', `/members/${member.id}`, { role: 'member' }),
      of('delete', `/members/${member.id}`),
      of('put', `/members/${member.id}/permission-overrides`, { overrides: [] }),
      of('post', '/api-keys', GRANT),
      of('post', `/api-keys/${keyId}/rotate`, {}),
      of('delete', `/api-keys/${keyId}`),
      of('post', '/service-principals', GRANT),
      of('post', `/service-principals/${principalId}/rotate`, {}),
      of('post', `/service-principals/${principalId}/disable`),
    ];
    const audited = async () => {
      const { body } = await identity.http
        .get(`${organization}/audit-events?limit=100`)
        .set(bearer(owner.token))
        .expect(200);
      return body.data.length;
    };

    it.each([
      ['removed', 404, 'DELETE FROM identity.membership WHERE organization_id = $1 AND user_id = $2'],
      [
        'made a viewer',
        403,
        `UPDATE identity.membership SET role = 'viewer' WHERE organization_id = $1 AND user_id = $2`,
      ],
    ])('nothing is done: %s', async (_, status, change) => {
      const before = await audited();
      const held = await RowLock.by(
        identity.test,
        'SELECT FROM identity.organization WHERE id = $1 FOR NO KEY UPDATE',
        [owner.organizationId],
      );
      await held.also('SELECT FROM identity.membership WHERE organization_id = $1 FOR UPDATE', [
        owner.organizationId,
      ]);
      await held.also(change, [owner.organizationId, admin.id]);
      const statuses = await held.meanwhile(everything());
      expect(statuses).toEqual(statuses.map(() => status));
      expect(await audited()).toBe(before);
    });
  });

  describe('of a password that changes', () => {
    const NEW = 'another horse, another battery';
    const login = (email: string, password: string) =>
      identity.http.post('/api/auth/login').send({ email, password });
    const me = (token: string) => identity.http.get('/api/auth/me').set(bearer(token));
    const status = (sent: PromiseLike<{ status: number }>) => sent.then((answer) => answer.status);
    const hashed = (password: string, cost: Options = PASSWORD_COST) => hash(password, cost);
    const SET = 'UPDATE identity.user_account SET password_hash = $2 WHERE id = $1';

    it('open no session by the old one', async () => {
      const { id, email } = await identity.person();
      const held = await RowLock.by(identity.test, SET, [id, await hashed(NEW)]);
      expect(await held.meanwhile([status(login(email, PASSWORD))])).toEqual([401]);
      const sessions = await identity.test.database.query('SELECT FROM identity.session WHERE user_id = $1', [
        id,
      ]);
      expect(sessions).toHaveLength(1);
    });

    it('open no session of an account that is being disabled', async () => {
      const { id, email } = await identity.person();
      const disable = 'UPDATE identity.user_account SET disabled_at = now() WHERE id = $1';
      const held = await RowLock.by(identity.test, disable, [id]);
      expect(await held.meanwhile([status(login(email, PASSWORD))])).toEqual([401]);
    });

    it('change it once when sent at once, and say so', async () => {
      const { id, email, token } = await identity.person();
      const passwords = [NEW, `${NEW}!`];
      const change = (newPassword: string) =>
        identity.http
          .put('/api/auth/me/password')
          .set(bearer(token))
          .send({ currentPassword: PASSWORD, newPassword });
      const held = await RowLock.by(
        identity.test,
        'SELECT FROM identity.user_account WHERE id = $1 FOR NO KEY UPDATE',
        [id],
      );
      const statuses = await held.meanwhile(passwords.map((password) => status(change(password))));
      expect([...statuses].sort()).toEqual([204, 401]);
      for (const [index, password] of passwords.entries())
        await login(email, password).expect(statuses[index] === 204 ? 200 : 401);
      await me(token).expect(200);
    });

    it('let everybody in who signs in while its hash is made stronger', async () => {
      const { id, email } = await identity.person();
      const weak = await hashed(PASSWORD, { ...PASSWORD_COST, memoryCost: 8192 });
      await identity.test.database.query(SET, [id, weak]);
      const held = await RowLock.by(
        identity.test,
        'SELECT FROM identity.user_account WHERE id = $1 FOR NO KEY UPDATE',
        [id],
      );
      const both = [1, 2].map(() => status(login(email, PASSWORD)));
      expect(await held.meanwhile(both)).toEqual([200, 200]);
    });
  });
});
