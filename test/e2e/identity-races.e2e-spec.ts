import type { BootedIdentity, Person } from '../support/boot-identity.js';
import { bearer, bootIdentity } from '../support/boot-identity.js';
import { HeldRow } from '../support/held-row.js';

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
    let keyId: string;
    let principalId: string;

    beforeEach(async () => {
      owner = await identity.person();
      organization = `/api/organizations/${owner.organizationId}`;
      const [one, two, three] = await Promise.all([
        ...[1, 2, 3].map(() => identity.person({ organization: false })),
      ]);
      [admin, member, newcomer] = [one as Person, two as Person, three as Person];
      await post(`${organization}/members`, owner.token, { email: admin.email, role: 'admin' }).expect(201);
      await post(`${organization}/members`, owner.token, { email: member.email, role: 'viewer' }).expect(201);
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
      const held = await HeldRow.by(
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
});
