import { randomUUID } from 'node:crypto';
import { ExpirySweep } from '../../src/platform/identity/expiry-sweep.js';
import {
  asService,
  bearer,
  type BootedIdentity,
  bootIdentity,
  type Person,
} from '../support/boot-identity.js';
import { RowLock } from '../support/row-lock.js';

describe('invitations of identity', () => {
  let identity: BootedIdentity;
  let owner: Person;
  let guest: Person;

  beforeAll(async () => {
    identity = await bootIdentity({ RATE_LIMIT_PER_MINUTE: '0' });
  });
  beforeEach(async () => {
    [owner, guest] = [await identity.person(), await identity.person({ organization: false })];
  });
  afterAll(() => identity.close());

  const sql = (text: string, values: unknown[] = []) => identity.test.database.query(text, values);
  const get = (path: string, token: string) => identity.http.get(path).set(bearer(token));
  const post = (path: string, token: string, body: object = {}) =>
    identity.http.post(path).set(bearer(token)).send(body);
  const path = () => `/api/organizations/${owner.organizationId}/invitations`;
  const invite = (body: object, token = owner.token) => post(path(), token, body);
  const invited = async (role = 'viewer', by = owner) =>
    (await invite({ userId: guest.id, role }, by.token).expect(201)).body.id as string;
  const accept = (id: string, person = guest) =>
    identity.http.post(`/api/auth/me/invitations/${id}/accept`).set(bearer(person.token));
  const decline = (id: string, person = guest) =>
    identity.http.post(`/api/auth/me/invitations/${id}/decline`).set(bearer(person.token));
  const withdraw = (id: string, by = owner) => identity.http.delete(`${path()}/${id}`).set(bearer(by.token));
  const resend = (id: string, by = owner) => post(`${path()}/${id}/resend`, by.token);
  const me = async (person = guest) => (await get('/api/auth/me', person.token).expect(200)).body;
  const joined = async (role: string) => {
    const person = await identity.person({ organization: false });
    await identity.join(owner, person, role);
    return person;
  };
  const rolesOf = async ({ id }: Person) =>
    (await sql('SELECT role FROM identity.membership WHERE organization_id = $1 AND user_id = $2', [
      ...[owner.organizationId, id],
    ])) as { role: string }[];
  const expire = (id: string) =>
    sql(`UPDATE identity.invitation SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
  const fill = (count: number) =>
    sql(
      `INSERT INTO identity.invitation (id, organization_id, email, email_key, role, expires_at)
       SELECT gen_random_uuid(), $1, n::text, n::text, 'viewer', now() + interval '1 day' FROM generate_series(1, $2::int) n`,
      [owner.organizationId, count],
    );
  const status = (sent: PromiseLike<{ status: number }>) => sent.then((answer) => answer.status);

  it.each(['members', 'invitations'])('by POST %s grant nothing until they are accepted', async (way) => {
    const body = { email: guest.email, userId: guest.id, role: 'admin' };
    const made = await post(`/api/organizations/${owner.organizationId}/${way}`, owner.token, body);
    expect(made.status).toBe(way === 'members' ? 202 : 201);
    expect(made.body).toMatchObject({
      status: 'pending',
      userId: guest.id,
      role: 'admin',
      canBeAccepted: true,
    });
    expect(await me()).toMatchObject({
      organizations: [],
      invitations: [
        {
          ...{ id: made.body.id, organizationId: owner.organizationId, role: 'admin' },
          ...{ inviterName: 'Ada Lovelace', expiresAt: made.body.expiresAt },
        },
      ],
    });
    await get(`/api/organizations/${owner.organizationId}`, guest.token).expect(404);
    const { body: validated } = await get('/validate?service=social-publishing', guest.token)
      .set(asService)
      .expect(200);
    expect(validated.organizations).toEqual([]);
    const { body: members } = await get(`/api/organizations/${owner.organizationId}/members`, owner.token);
    expect(members.data).toHaveLength(1);
    await accept(made.body.id).expect(200, /"status":"accepted"/);
    expect(await me()).toMatchObject({
      organizations: [{ id: owner.organizationId, role: 'admin' }],
      invitations: [],
    });
  });

  it('disclose nothing about a person who has not accepted', async () => {
    const { text } = await invite({ userId: guest.id, role: 'viewer' }).expect(201);
    const list = await get(path(), owner.token).expect(200);
    expect(text + list.text).not.toContain(guest.email);
    expect(list.body.data).toEqual([expect.objectContaining({ userId: guest.id, email: null })]);
  });

  it('are created by owners and admins, for roles up to their own', async () => {
    const [admin, member, stranger] = [
      await joined('admin'),
      await joined('member'),
      await identity.person(),
    ];
    await invite({ userId: guest.id, role: 'viewer' }, stranger.token).expect(404);
    await invite({ userId: guest.id, role: 'viewer' }, member.token).expect(403);
    await invite({ userId: guest.id, role: 'owner' }, admin.token).expect(403);
    await invite({ userId: guest.id, role: 'king' }).expect(400);
    await invite({ role: 'viewer' }).expect(400);
    for (const userId of ['nonsense', null, '']) await invite({ userId, role: 'viewer' }).expect(400);
    await invite({ userId: randomUUID(), role: 'viewer' }).expect(404, /"user_not_found"/);
    await invite({ userId: stranger.id, email: guest.email, role: 'viewer' }).expect(404, /"user_not_found"/);
    await invite({ userId: member.id, role: 'admin' }).expect(409, /"already_a_member"/);
    await invite({ email: member.email, role: 'admin' }).expect(409, /"already_a_member"/);
    const asOwner = await invited('owner');
    await withdraw(asOwner, admin).expect(403);
    await resend(asOwner, admin).expect(403);
    await get(path(), member.token).expect(403);
    await get(path(), stranger.token).expect(404);
    expect(await rolesOf(guest)).toEqual([]);
  });

  it('by address disclose no account, and cannot be accepted yet', async () => {
    const nobody = await invite({ email: 'Nobody@Example.com', role: 'viewer' }).expect(201);
    const somebody = await invite({ email: guest.email, role: 'viewer' }).expect(201);
    const plain = ({ body }: { body: object }) => ({
      ...body,
      id: '',
      email: '',
      createdAt: '',
      expiresAt: '',
    });
    expect(plain(somebody)).toEqual(plain(nobody));
    expect(somebody.body).toMatchObject({ canBeAccepted: false, hint: expect.stringContaining('userId') });
    expect((await me()).invitations).toEqual([]);
    const refused = await accept(somebody.body.id).expect(409, /"email_not_verified"/);
    expect(refused.body.detail).toContain(guest.id);
    await decline(somebody.body.id).expect(409);
    await accept(nobody.body.id).expect(404);
    expect(await rolesOf(guest)).toEqual([]);
  });

  it('cannot be accepted by another user', async () => {
    const [id, stranger] = [await invited(), await identity.person()];
    for (const token of [stranger.token, owner.token]) {
      await post(`/api/auth/me/invitations/${id}/accept`, token).expect(404);
      await post(`/api/auth/me/invitations/${id}/decline`, token).expect(404);
    }
    await identity.http
      .delete(`/api/organizations/${stranger.organizationId}/invitations/${id}`)
      .set(bearer(stranger.token))
      .expect(404);
    await post(
      `/api/organizations/${stranger.organizationId}/invitations/${id}/resend`,
      stranger.token,
    ).expect(404);
    await accept(randomUUID()).expect(404);
    await accept(id).expect(200);
  });

  it('have one final status: accepted, declined or withdrawn', async () => {
    const ended = async (end: (id: string) => PromiseLike<{ status: number }>, as: string) => {
      const id = await invited();
      await end(id);
      for (const again of [accept(id), decline(id), withdraw(id), resend(id)]) {
        const { body } = await again.expect(409);
        expect(body).toMatchObject({ code: 'invitation_closed', invitationStatus: as });
      }
    };
    await ended((id) => decline(id).expect(204), 'declined');
    await ended((id) => withdraw(id).expect(204), 'withdrawn');
    expect(await rolesOf(guest)).toEqual([]);
    await ended((id) => accept(id).expect(200), 'accepted');
    expect(await rolesOf(guest)).toEqual([{ role: 'viewer' }]);
    const audit = await get(`/api/organizations/${owner.organizationId}/audit-events`, owner.token);
    expect(audit.body.data.map(({ action }: { action: string }) => action)).toEqual([
      ...['member_added', 'member_invited', 'invitation_withdrawn', 'member_invited'],
      ...['invitation_declined', 'member_invited', 'organization_created'],
    ]);
  });

  it('expire, and can be resent or sent again', async () => {
    const id = await invited();
    const twice = await invite({ userId: guest.id, role: 'member' }).expect(409, /"already_invited"/);
    expect(twice.body.invitationId).toBe(id);
    await expire(id);
    expect((await me()).invitations).toEqual([]);
    await accept(id).expect(409, /"invitationStatus":"expired"/);
    const resent = await resend(id).expect(200, /"status":"pending"/);
    expect(Date.parse(resent.body.expiresAt)).toBeGreaterThan(Date.now() + 13 * 86_400_000);
    await expire(id);
    const second = await invited('member');
    await accept(id).expect(409);
    await resend(id).expect(409, /"invitationStatus":"expired"/);
    await accept(second).expect(200);
    expect(await rolesOf(guest)).toEqual([{ role: 'member' }]);
  });

  it('expire, and can be resent after other people were invited', async () => {
    const id = await invited();
    await expire(id);
    await invite({ email: 'other@example.com', role: 'viewer' }).expect(201);
    const { body } = await get(path(), owner.token).expect(200);
    expect(body.data).toContainEqual(expect.objectContaining({ id, status: 'expired' }));
    await resend(id).expect(200, /"status":"pending"/);
    await accept(id).expect(200);
    expect(await rolesOf(guest)).toEqual([{ role: 'viewer' }]);
  });

  it.each([
    ['left', 'DELETE FROM identity.membership WHERE user_id = $1'],
    ['is an admin no more', `UPDATE identity.membership SET role = 'member' WHERE user_id = $1`],
    ['is disabled', 'UPDATE identity.user_account SET disabled_at = now() WHERE id = $1'],
    [
      'is denied what the role brings',
      `INSERT INTO identity.permission_override (organization_id, user_id, service_id, scope, effect)
       SELECT m.organization_id, m.user_id, p.service_id, p.scope, 'deny' FROM identity.membership m, identity.permission p
        WHERE m.user_id = $1 AND p.scope = 'posts.read'`,
    ],
  ])('grant nothing when the inviter %s meanwhile, until another member resends them', async (_, change) => {
    const admin = await joined('admin');
    const id = await invited('viewer', admin);
    await sql(change, [admin.id]);
    await accept(id).expect(409, /"inviter_not_authorized"/);
    expect(await rolesOf(guest)).toEqual([]);
    await resend(id).expect(200);
    await accept(id).expect(200);
  });

  it('do not grant the owner role when the inviter is now an admin', async () => {
    const second = await joined('owner');
    const id = await invited('owner', second);
    await sql(`UPDATE identity.membership SET role = 'admin' WHERE user_id = $1`, [second.id]);
    await accept(id).expect(409, /"inviter_not_authorized"/);
  });

  it('create one member for concurrent acceptances', async () => {
    const id = await invited();
    const statuses = await Promise.all(Array.from({ length: 5 }, () => status(accept(id))));
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await rolesOf(guest)).toHaveLength(1);
    const added = `SELECT FROM identity.audit_event WHERE action = 'member_added' AND target_id = $1`;
    expect(await sql(added, [guest.id])).toHaveLength(1);
  });

  it('are accepted or withdrawn, never both, when both come at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await invited();
      const held = await RowLock.by(
        identity.test,
        'SELECT FROM identity.organization WHERE id = $1 FOR NO KEY UPDATE',
        [owner.organizationId],
      );
      const both = [status(withdraw(id)), status(accept(id))];
      const [withdrawn, accepted] = await held
        .meanwhile(round % 2 ? both.reverse() : both)
        .then((all) => (round % 2 ? all.reverse() : all));
      expect([withdrawn, accepted]).toEqual(accepted === 200 ? [409, 200] : [204, 409]);
      expect(await rolesOf(guest)).toHaveLength(accepted === 200 ? 1 : 0);
      await sql('DELETE FROM identity.membership WHERE user_id = $1', [guest.id]);
    }
  });

  it('give nothing when the inviter is removed while they are accepted', async () => {
    const admin = await joined('admin');
    const id = await invited('viewer', admin);
    const held = await RowLock.by(
      identity.test,
      'SELECT FROM identity.organization WHERE id = $1 FOR NO KEY UPDATE',
      [owner.organizationId],
    );
    await held.also('DELETE FROM identity.membership WHERE user_id = $1', [admin.id]);
    expect(await held.meanwhile([status(accept(id))])).toEqual([409]);
    expect(await rolesOf(guest)).toEqual([]);
  });

  it('of one person to one organization are one, however often they are sent at once', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 4 }, () => status(invite({ userId: guest.id, role: 'viewer' }))),
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
  });

  it('are 200 at most for one organization at a time', async () => {
    await fill(199);
    const id = await invited();
    await invite({ email: 'one-more@example.com', role: 'viewer' }).expect(409, /"too_many_invitations"/);
    await decline(id).expect(204);
    await invite({ email: 'one-more@example.com', role: 'viewer' }).expect(201);
  });

  it('are limited to 200; expired ones count only after they are resent', async () => {
    const id = await invited();
    await expire(id);
    await fill(199);
    const other = (await invite({ email: 'one-more@example.com', role: 'viewer' }).expect(201)).body.id;
    await resend(id).expect(409, /"too_many_invitations"/);
    await resend(other).expect(200);
    await accept(id).expect(409, /"invitationStatus":"expired"/);
    await withdraw(other).expect(204);
    await resend(id).expect(200, /"status":"pending"/);
  });

  it('are created and accepted by people only', async () => {
    const grant = { name: 'Robot', service: 'social-publishing', scopes: ['posts.read'] };
    const robot = await post(
      `/api/organizations/${owner.organizationId}/service-principals`,
      owner.token,
      grant,
    );
    const id = await invited();
    const { token } = robot.body as { token: string };
    await invite({ userId: owner.id, role: 'viewer' }, token).expect(403);
    await post(`/api/auth/me/invitations/${id}/accept`, token).expect(403);
    await get('/api/auth/me/invitations', token).expect(403);
    expect((await get('/api/auth/me', token).expect(200)).body.invitations).toEqual([]);
  });

  it('are deleted 90 days after they ended', async () => {
    const [old, recent] = [
      await invited(),
      (await invite({ email: 'new@example.com', role: 'viewer' })).body.id,
    ];
    await sql(`UPDATE identity.invitation SET expires_at = now() - interval '91 days' WHERE id = $1`, [old]);
    await identity.service.app.get(ExpirySweep).sweep();
    const rows = await sql('SELECT id FROM identity.invitation WHERE organization_id = $1', [
      owner.organizationId,
    ]);
    expect(rows).toEqual([{ id: recent }]);
  });
});
