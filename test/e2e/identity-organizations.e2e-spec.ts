import { randomUUID } from 'node:crypto';
import { bearer, type BootedIdentity, bootIdentity, type Person } from '../support/boot-identity.js';

describe('organizations of identity', () => {
  let identity: BootedIdentity;
  let owner: Person;
  let stranger: Person;

  beforeAll(async () => {
    identity = await bootIdentity();
    owner = await identity.person({ name: 'Owner' });
    stranger = await identity.person({ name: 'Stranger' });
  });
  afterAll(() => identity.close());

  const get = (path: string, token: string) => identity.http.get(path).set(bearer(token));
  const members = (organizationId = owner.organizationId) => `/api/organizations/${organizationId}/members`;
  const invite = (token: string, userId: string, role: string) =>
    identity.http
      .post(`/api/organizations/${owner.organizationId}/invitations`)
      .set(bearer(token))
      .send({ userId, role });
  const setRole = (token: string, userId: string, role: string) =>
    identity.http.patch(`${members()}/${userId}`).set(bearer(token)).send({ role });
  const remove = (token: string, userId: string, organizationId = owner.organizationId) =>
    identity.http.delete(`${members(organizationId)}/${userId}`).set(bearer(token));
  /** A member of the owner's organization. */
  const joined = async (role: string) => {
    const person = await identity.person({ organization: false });
    await identity.join(owner, person, role);
    return person;
  };

  it('lists and shows only the caller’s own', async () => {
    const list = await get('/api/organizations', owner.token).expect(200);
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([owner.organizationId]);
    await get(`/api/organizations/${owner.organizationId}`, owner.token).expect(200, /"role":"owner"/);
    for (const id of [owner.organizationId, randomUUID(), 'nonsense']) {
      const hidden = await get(`/api/organizations/${id}`, stranger.token).expect(404);
      expect(JSON.stringify(hidden.body)).not.toContain('Owner');
    }
    await identity.http.get('/api/organizations').expect(401);
  });

  it('creates one, and once for one Idempotency-Key', async () => {
    const person = await identity.person({ organization: false });
    const create = () =>
      identity.http
        .post('/api/organizations')
        .set(bearer(person.token))
        .set('Idempotency-Key', 'create-once')
        .send({ name: 'Second' });
    const first = await create().expect(201);
    const again = await create().expect(201);
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({ name: 'Second', role: 'owner', developerWorkspace: false });
    const list = await get('/api/organizations', person.token);
    expect(list.body.data).toHaveLength(1);
    await identity.http.post('/api/organizations').set(bearer(person.token)).send({}).expect(400);
    await identity.http.post('/api/organizations').send({ name: 'x' }).expect(401);
  });

  it('pages through many without gaps', async () => {
    const person = await identity.person({ organization: false });
    for (let i = 0; i < 5; i += 1) {
      await identity.http
        .post('/api/organizations')
        .set(bearer(person.token))
        .send({ name: `N${i}` });
    }
    const seen: string[] = [];
    let path = '/api/organizations?limit=2';
    for (let pages = 0; path && pages < 5; pages += 1) {
      const { body } = await get(path, person.token).expect(200);
      seen.push(...body.data.map(({ name }: { name: string }) => name));
      const { nextCursor } = body.pagination;
      path = nextCursor ? `/api/organizations?limit=2&cursor=${nextCursor}` : '';
    }
    expect(seen).toEqual(['N0', 'N1', 'N2', 'N3', 'N4']);
  });

  it('shows members to members only', async () => {
    const viewer = await joined('viewer');
    const list = await get(members(), viewer.token).expect(200);
    expect(list.body.data).toContainEqual(
      expect.objectContaining({ userId: owner.id, email: owner.email, role: 'owner' }),
    );
    await get(members(), stranger.token).expect(404);
    await identity.http.get(members()).expect(401);
    const { body: robot } = await identity.http
      .post(`/api/organizations/${owner.organizationId}/service-principals`)
      .set(bearer(owner.token))
      .send({ name: 'Robot', service: 'social-publishing', scopes: ['posts.read'] })
      .expect(201);
    const refused = await get(members(), robot.token).expect(403);
    expect(refused.body.code).toBe('not_a_person');
    expect(JSON.stringify(refused.body)).not.toContain(owner.email);
    await get(members(stranger.organizationId), robot.token).expect(404);
  });

  it('changes roles; only owners make and unmake owners', async () => {
    const [admin, member] = [await joined('admin'), await joined('member')];
    await setRole(admin.token, member.id, 'viewer').expect(200, /"role":"viewer"/);
    await setRole(admin.token, member.id, 'owner').expect(403);
    await setRole(admin.token, owner.id, 'member').expect(403);
    await setRole(member.token, member.id, 'admin').expect(403);
    await setRole(stranger.token, member.id, 'admin').expect(404);
    await setRole(owner.token, stranger.id, 'admin').expect(404);
    await setRole(owner.token, member.id, 'king').expect(400);
  });

  it('grants by a role only what the granting member may do', async () => {
    const [admin, denied, viewer] = [await joined('admin'), await joined('member'), await joined('viewer')];
    const newcomer = await identity.person({ organization: false });
    const service = await get('/api/services/social-publishing', owner.token);
    const permission = `${service.body.id}.posts:write`;
    const restrict = (userId: string, overrides: object[]) =>
      identity.http
        .put(`${members()}/${userId}/permission-overrides`)
        .set(bearer(owner.token))
        .send({ overrides })
        .expect(200);
    for (const { id } of [admin, denied]) await restrict(id, [{ permission, effect: 'deny' }]);
    for (const role of ['admin', 'member']) {
      const { body } = await invite(admin.token, newcomer.id, role).expect(403);
      expect(body).toMatchObject({ code: 'role_not_offered', detail: expect.stringContaining(permission) });
      await setRole(admin.token, viewer.id, role).expect(403, /"role_not_offered"/);
    }
    await get(`/api/organizations/${owner.organizationId}`, newcomer.token).expect(404);
    await invite(admin.token, newcomer.id, 'viewer').expect(201);
    // A denial holds in every role, so this gives nothing; nor does a lower role.
    await setRole(admin.token, denied.id, 'viewer').expect(200);
    await setRole(admin.token, denied.id, 'member').expect(200);
    await setRole(admin.token, admin.id, 'admin').expect(200);
    // The denial of a removed member is kept, so that the invitation gives nothing that the admin may not do.
    await remove(admin.token, denied.id).expect(204);
    await invite(admin.token, denied.id, 'member').expect(201);
    await invite(admin.token, viewer.id, 'member').expect(409);
    await restrict(admin.id, []);
    await setRole(admin.token, viewer.id, 'member').expect(200, /"role":"member"/);
  });

  it('keeps what is denied to a member who leaves and comes back, and ends what was allowed', async () => {
    const lone = await identity.person();
    const member = await identity.person({ organization: false });
    await identity.join(lone, member, 'member');
    const service = await get('/api/services/social-publishing', lone.token);
    const [denied, allowed] = ['posts:write', 'accounts:write'].map((name) => `${service.body.id}.${name}`);
    const address = `/api/organizations/${lone.organizationId}/members/${member.id}/permission-overrides`;
    const overrides = [
      { permission: denied, effect: 'deny' },
      { permission: allowed, effect: 'allow' },
    ];
    await identity.http.put(address).set(bearer(lone.token)).send({ overrides }).expect(200);
    await remove(member.token, member.id, lone.organizationId).expect(204);
    await identity.join(lone, member, 'member');
    const kept = await get(address, lone.token);
    expect(kept.body.overrides).toEqual([expect.objectContaining({ permission: denied, effect: 'deny' })]);
  });

  it('keeps its last owner under concurrent requests', async () => {
    const lone = await identity.person();
    const second = await identity.person({ organization: false });
    await remove(lone.token, lone.id, lone.organizationId).expect(409, /"last_owner"/);
    await identity.join(lone, second, 'owner');
    const both = await Promise.all([
      remove(lone.token, lone.id, lone.organizationId),
      remove(second.token, second.id, lone.organizationId),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    const rows = await identity.test.database.query(
      'SELECT role FROM identity.membership WHERE organization_id = $1',
      [lone.organizationId],
    );
    expect(rows).toEqual([{ role: 'owner' }]);
  });

  it('loses a member at the very next request', async () => {
    const [member, admin] = [await joined('member'), await joined('admin')];
    const other = await joined('member');
    await remove(member.token, other.id).expect(403);
    await remove(stranger.token, member.id).expect(404);
    await remove(admin.token, owner.id).expect(403);
    await remove(admin.token, member.id).expect(204);
    await get(`/api/organizations/${owner.organizationId}`, member.token).expect(404);
    await remove(admin.token, member.id).expect(404);
    await remove(other.token, other.id).expect(204);
  });

  it('shows its audit events to owners and admins, newest first', async () => {
    const lone = await identity.person();
    const member = await identity.person({ organization: false });
    await identity.join(lone, member, 'member');
    const path = `/api/organizations/${lone.organizationId}/audit-events`;
    const { body } = await get(path, lone.token).expect(200);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'member_added',
      'member_invited',
      'organization_created',
    ]);
    expect(body.data[0]).toMatchObject({
      ...{ actor: { type: 'user', id: member.id }, target: { type: 'user', id: member.id } },
      ...{ result: 'success', details: { role: 'member', invitedBy: lone.id } },
    });
    expect(body.data[1]).toMatchObject({
      ...{ actor: { type: 'user', id: lone.id }, details: { role: 'member', userId: member.id } },
    });
    await get(path, member.token).expect(403);
    await get(path, stranger.token).expect(404);
    await identity.http.get(path).expect(401);
  });
});
