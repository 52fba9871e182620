import { randomUUID } from 'node:crypto';
import { FakeIdentity } from '#libs/platform-client/testing';
import { runInContext } from '#libs/http';
import { Caller, eventContext, organizationsFor, ScopeIsMissing } from './index.js';

const organizationId = randomUUID();
const brandId = randomUUID();

async function aCaller(brandIds: string[] | null, scopes = ['posts.read']): Promise<Caller> {
  const fake = new FakeIdentity();
  const token = fake.user({ organizations: [{ id: organizationId, scopes, brandIds }] });
  const validated = await fake.validate({ authorization: `Bearer ${token}`, service: 'social-publishing' });
  if (!validated) throw new Error('The fake refused its own token.');
  return Caller.of(validated, 'bearer');
}

describe('what a caller may do', () => {
  it('is decided by the scopes of the organization the place belongs to', async () => {
    const caller = await aCaller(null);
    expect(caller.may('posts.read', { organizationId, brandId })).toBe('yes');
    expect(caller.may('posts.read', { organizationId: organizationId.toUpperCase() })).toBe('yes');
    expect(caller.may('posts.write', { organizationId, brandId })).toBe('forbidden');
  });

  it('is unknown in another organization for every scope', async () => {
    expect((await aCaller(null)).may('posts.read', { organizationId: randomUUID(), brandId })).toBe(
      'unknown',
    );
  });

  it('ends at the brands the caller is bound to', async () => {
    const caller = await aCaller([brandId]);
    expect(caller.may('posts.read', { organizationId, brandId })).toBe('yes');
    expect(caller.may('posts.read', { organizationId, brandId: randomUUID() })).toBe('unknown');
    expect(caller.may('posts.read', { organizationId })).toBe('forbidden');
  });

  it('is required with the error for a missing resource or a missing scope', async () => {
    const caller = await aCaller(null);
    const unknown = () => new Error('no such post');
    expect(() => caller.must('posts.read', { organizationId }, unknown)).not.toThrow();
    expect(() => caller.must('posts.write', { organizationId }, unknown)).toThrow(ScopeIsMissing);
    expect(() => caller.must('posts.read', { organizationId: randomUUID() }, unknown)).toThrow(
      'no such post',
    );
  });

  it('names the organization of the request in its context, and none of those that are only looked at', async () => {
    const caller = await aCaller(null);
    const ownersOf = (work: () => unknown) => {
      const owners = new Set<string>();
      runInContext({ requestId: null, correlationId: 'trace-1', owners }, work);
      return [...owners];
    };
    const unknown = () => new Error('no such post');
    expect(ownersOf(() => caller.must('posts.read', { organizationId, brandId }, unknown))).toEqual([
      organizationId,
    ]);
    expect(ownersOf(() => organizationsFor(caller, 'posts.read', organizationId))).toEqual([organizationId]);
    expect(ownersOf(() => organizationsFor(caller, 'posts.read'))).toEqual([]);
    expect(ownersOf(() => organizationsFor(caller, 'posts.read', randomUUID()))).toEqual([]);
    expect(ownersOf(() => caller.may('posts.read', { organizationId }))).toEqual([]);
  });

  it('is a suggestion when the caller is an automation', async () => {
    const fake = new FakeIdentity();
    const token = fake.service({ organization: { id: organizationId } });
    const robot = await fake.validate({ authorization: `Bearer ${token}`, service: 'social-publishing' });
    expect(robot && Caller.of(robot, 'bearer').isAutomation).toBe(true);
    expect((await aCaller(null)).isAutomation).toBe(false);
  });
});

describe('the context of an event', () => {
  it('names actor, organization and request', async () => {
    const caller = await aCaller(null);
    const request = { requestId: 'request-1', correlationId: 'trace-1' };
    const context = runInContext(request, () => eventContext(caller, { organizationId, brandId }));
    expect(context).toEqual({
      organizationId,
      brandId,
      actor: { type: 'user', id: caller.id },
      channel: 'bearer',
      causationId: null,
      ...request,
    });
  });
});
