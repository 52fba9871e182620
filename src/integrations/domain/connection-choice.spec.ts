import type { Platform, Target } from '#libs/content';
import { chooseConnection, type ConnectionCandidate, type ConnectionRequest } from './connection-choice.js';
import { ANSWERING } from './network-state.js';

const candidate = (id: string, more: Partial<ConnectionCandidate> = {}): ConnectionCandidate => ({
  id,
  userId: 'somebody',
  accountId: id,
  username: id,
  facts: {},
  targetIds: [],
  state: 'active',
  accountKey: id,
  heldUntil: null,
  holdReason: null,
  network: ANSWERING,
  ...more,
});
const request: ConnectionRequest = { brandId: 'brand', platform: 'x' as Platform, authorId: 'author' };
const chosen = (candidates: ConnectionCandidate[], more: Partial<ConnectionRequest> = {}) => {
  const choice = chooseConnection(candidates, { ...request, ...more });
  return choice.kind === 'connection' ? choice.connectionId : choice.failure.code;
};

const own = (id: string, more: Partial<ConnectionCandidate> = {}) =>
  candidate(id, { userId: 'author', ...more });
const dead = { state: 'reconnect-needed' } as const;
/** Another member's connection to the same account. */
const sameAs = (id: string, of: string, more: Partial<ConnectionCandidate> = {}) =>
  candidate(id, { accountId: of, accountKey: of, ...more });

describe('choosing the connection of a post', () => {
  describe('without a target', () => {
    it('prefers the author’s own connection', () => {
      expect(chosen([candidate('a'), own('b')])).toBe('b');
      expect(chosen([candidate('a'), own('b', { accountKey: 'a' })])).toBe('b');
    });

    it('falls back to the account of the brand, by its oldest active connection', () => {
      expect(chosen([candidate('a')])).toBe('a');
      expect(chosen([candidate('a', dead), sameAs('b', 'a'), sameAs('c', 'a')])).toBe('b');
    });

    it('falls back to a colleague’s connection of the author’s account only', () => {
      expect(chosen([own('a', dead), sameAs('b', 'a')])).toBe('b');
      expect(chosen([own('a', dead), candidate('c'), sameAs('b', 'a')])).toBe('b');
      expect(chosen([own('a', dead), candidate('b')])).toBe('account_not_reachable');
    });

    it('never picks one of several accounts', () => {
      expect(chosen([candidate('a'), candidate('b')])).toBe('account_ambiguous');
      expect(chosen([own('a'), own('b')])).toBe('account_ambiguous');
      expect(chosen([own('a'), own('b', dead), candidate('c')])).toBe('a');
      expect(chosen([own('a', dead), own('b', dead), sameAs('c', 'b')])).toBe('c');
    });
  });

  describe('with a target', () => {
    it('uses the account that it names, by the author’s connection before others', () => {
      expect(chosen([own('a'), candidate('b')], { target: { accountId: 'b' } })).toBe('b');
      const shared = [sameAs('a', 'page'), own('b', { accountId: 'page', accountKey: 'page' })];
      expect(chosen(shared, { target: { pageId: 'page' } })).toBe('b');
      expect(chosen([candidate('a')], { target: { accountId: 'b' } })).toBe('account_not_connected');
    });

    it('uses the connection that it names, else another one of the same account', () => {
      const both = [own('a'), candidate('b'), sameAs('c', 'b', { userId: 'author' })];
      expect(chosen(both, { target: { connectionId: 'b' } })).toBe('b');
      const ended = [own('a'), candidate('b', dead), sameAs('c', 'b')];
      expect(chosen(ended, { target: { connectionId: 'b' } })).toBe('c');
      expect(chosen(ended.slice(0, 2), { target: { connectionId: 'b' } })).toBe('account_not_reachable');
      expect(chosen([own('a')], { target: { connectionId: 'b' } })).toBe('account_not_connected');
    });

    it('chooses the account that is the page, or that the page belongs to', () => {
      const both = [candidate('a'), candidate('b', { targetIds: ['page', 'group'] })];
      expect(chosen(both, { target: { pageId: 'page' } })).toBe('b');
      expect(chosen(both, { target: { groupId: 'group' } })).toBe('b');
      expect(chosen(both, { target: { pageId: 'page', accountId: 'a' } })).toBe('account_not_connected');
      expect(chosen([candidate('a'), candidate('page')], { target: { pageId: 'page' } })).toBe('page');
      expect(chosen([candidate('a'), candidate('page')], { target: { organizationId: 'page' } })).toBe(
        'page',
      );
    });

    it('never uses an account that does not reach the page', () => {
      expect(chosen([own('a')], { target: { pageId: 'page' } })).toBe('account_not_connected');
      expect(chosen([candidate('a'), candidate('page', dead)], { target: { pageId: 'page' } })).toBe(
        'account_not_reachable',
      );
    });
  });

  it('distinguishes a missing connection from one that needs a reconnect', () => {
    expect(chosen([])).toBe('account_not_connected');
    expect(chosen([], { target: { pageId: 'page' } })).toBe('account_not_connected');
    expect(chosen([candidate('a', dead)])).toBe('reconnect_needed');
    expect(chosen([candidate('a', dead)], { target: { accountId: 'a' } })).toBe('reconnect_needed');
  });
});

describe('the ids of a target that no connection reaches', () => {
  const unreached = (candidates: ConnectionCandidate[], target: Target) => {
    const choice = chooseConnection(candidates, { ...request, target });
    return choice.kind === 'none' ? choice.unreached : [];
  };

  it('are named, whatever the state of the connections', () => {
    const candidates = [candidate('a', dead), candidate('b', { targetIds: ['page'] })];
    expect(unreached(candidates, { accountId: 'a', pageId: 'page' })).toEqual([]);
    expect(unreached(candidates, { accountId: 'c', pageId: 'page', connectionId: 'd' })).toEqual([
      'connectionId',
      'accountId',
    ]);
  });

  it('are not known before an account of the network is connected', () => {
    expect(unreached([], { accountId: 'a' })).toEqual([]);
  });
});
