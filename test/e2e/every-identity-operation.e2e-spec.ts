import { asService, type BootedIdentity, bootIdentity, type Person } from '../support/boot-identity.js';
import { callOf } from '../support/call.js';
import type { Operation } from '../support/operations.js';
import { existenceLeaks } from '../support/existence-leaks.js';
import { bearer, isAddressed, names, Walk } from '../support/walk.js';

/** The registry is the same for everybody; the rest belongs to somebody. */
const isOwned = (operation: Operation) =>
  isAddressed(operation) && !operation.path.startsWith('/api/services/');

describe('every operation of identity', () => {
  let identity: BootedIdentity;
  let walk: Walk;
  let owner: Person;
  let stranger: Person;
  let guarded: readonly Operation[];

  beforeAll(async () => {
    identity = await bootIdentity({ RATE_LIMIT_PER_MINUTE: '0' });
    [owner, stranger] = [await identity.person(), await identity.person({ name: 'Grace Hopper' })];
    const member = await identity.person({ organization: false });
    const person = callOf(identity.service.url, bearer(owner.token));
    const { organizationId } = owner;
    await identity.join(owner, member, 'viewer');
    const invitation = await person('POST', `/api/organizations/${organizationId}/invitations`, {
      ...{ email: 'invited@example.com', role: 'viewer' },
    });
    const sessions = await person('GET', '/api/auth/sessions');
    walk = await Walk.through(identity.service.url, person, {
      ...{ organizationId, userId: member.id, sessionId: sessions.body.data[0].id as string, slug: 'agent' },
      ...{ service: 'social-publishing', email: 'somebody@example.com' },
      invitationId: invitation.body.id as string,
    });
    guarded = walk.served.guarded;
    const made = guarded.find(({ name }) => name === 'get /api/organizations/{organizationId}') as Operation;
    await identity.join(owner, member, 'viewer', (await walk.things.address(made)).split('/').at(-1));
  });
  afterAll(() => identity.close());

  const asked = (name: string) => ({ ...bearer(name), ...asService });

  /** Runs it, and sees that nothing is recorded and no answer is other than it should be. */
  const inVain = async (asking: () => Promise<void>): Promise<void> => {
    const count = 'SELECT count(*)::int AS count FROM identity.audit_event';
    const before = await identity.test.database.query(count);
    await asking();
    expect(walk.verdicts.taken()).toEqual([]);
    expect(await identity.test.database.query(count)).toEqual(before);
  };

  it('is in the document, and the tested resources exist', () => {
    expect(guarded.length).toBeGreaterThan(25);
    expect(walk.things.existing).toEqual(
      expect.arrayContaining([
        '/api/organizations/{organizationId}',
        '/api/organizations/{organizationId}/api-keys/{keyId}',
        '/api/organizations/{organizationId}/service-principals/{principalId}',
      ]),
    );
    const open = walk.served.operations.filter(({ isPublic }) => isPublic);
    expect(names(open).filter((name) => !name.startsWith('get '))).toEqual([
      ...['post /register', 'post /api/auth/login', 'post /api/auth/refresh', 'post /api/auth/revoke'],
    ]);
  });

  it('requires credentials, except documented public operations', () =>
    inVain(async () => {
      const wrong: Record<string, string>[] = [
        {},
        bearer('nonsense'),
        bearer('copa_'.padEnd(60, '0')),
        { authorization: 'Basic YTpi' },
        { 'x-api-key': 'nonsense' },
      ];
      for (const headers of wrong) await walk.on(guarded, [401], { ...headers, ...asService });
    }));

  it('answers a stranger as if there were nothing, changes nothing and shows nothing', () =>
    inVain(async () => {
      await walk.on(guarded.filter(isOwned), [404], bearer(stranger.token));
      const open = guarded.filter((one) => !isOwned(one) && one.method === 'GET');
      await walk.verdicts.on(open, [200], async (operation) => {
        const answer = await walk.send(operation, asked(stranger.token));
        const theirs = [...walk.things.ids, owner.organizationId, owner.email, owner.id];
        const seen = theirs.filter((text) => answer.text.includes(text));
        expect({ operation: operation.name, seen }).toEqual({ operation: operation.name, seen: [] });
        return answer;
      });
    }));

  it('lets a stranger find out nothing about what exists', () =>
    inVain(async () => {
      const { asked, leaks } = await existenceLeaks(walk, guarded.filter(isOwned), bearer(stranger.token));
      expect(leaks).toEqual([]);
      expect(asked).toBeGreaterThan(10);
    }));

  it('shows its owner what it hides from strangers', () =>
    inVain(async () => {
      const reads = guarded.filter((one) => one.method === 'GET' && isAddressed(one));
      await walk.on(reads, [200], bearer(owner.token));
    }));

  it('warns about unknown parameters in each list', () =>
    inVain(async () => {
      expect(walk.served.lists.length).toBeGreaterThan(12);
      expect(await walk.silentLists(bearer(owner.token))).toEqual([]);
    }));

  it('refuses bodies that are not JSON, of another schema, not text or too large', () =>
    inVain(() => walk.sendBrokenBodies(asked(owner.token))));

  it('returns 404 for an invalid id', () =>
    inVain(() => walk.sendStrangeIds(guarded.filter(isAddressed), bearer(owner.token))));
});
