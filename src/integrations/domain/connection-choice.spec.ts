import type { Platform } from '#libs/content';
import type { ConnectionCandidate, ConnectionRequest } from './connection-choice.js';
import { chooseConnection } from './connection-choice.js';
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

describe('choosing the connection of a post', () => {
  it('prefers the author’s own connection', () => {
    expect(chosen([candidate('a'), candidate('b', { userId: 'author' })])).toBe('b');
  });

  it('falls back to another active connection of the brand, the oldest first', () => {
    expect(chosen([candidate('a'), candidate('b')])).toBe('a');
  });

  it('does not use the author’s connection when only another one is active', () => {
    expect(chosen([candidate('a', { userId: 'author', state: 'reconnect-needed' }), candidate('b')])).toBe(
      'b',
    );
  });

  it('uses an explicit target only', () => {
    expect(
      chosen([candidate('a', { userId: 'author' }), candidate('b')], { target: { connectionId: 'b' } }),
    ).toBe('b');
    expect(chosen([candidate('a'), candidate('b')], { target: { accountId: 'b' } })).toBe('b');
    expect(chosen([candidate('a')], { target: { connectionId: 'b' } })).toBe('account_not_connected');
  });

  it('chooses the account that is the page, or that the page belongs to', () => {
    const both = [candidate('a'), candidate('b', { targetIds: ['page', 'group'] })];
    expect(chosen(both, { target: { pageId: 'page' } })).toBe('b');
    expect(chosen(both, { target: { groupId: 'group' } })).toBe('b');
    expect(chosen([candidate('a'), candidate('page')], { target: { pageId: 'page' } })).toBe('page');
    expect(chosen([candidate('a'), candidate('page')], { target: { organizationId: 'page' } })).toBe('page');
    const dead = [candidate('a'), candidate('page', { state: 'reconnect-needed' })];
    expect(chosen(dead, { target: { pageId: 'page' } })).toBe('reconnect_needed');
  });

  it('does not narrow the choice by a page that no connection lists', () => {
    expect(chosen([candidate('a')], { target: { pageId: 'page' } })).toBe('a');
  });

  it('distinguishes a missing connection from one that needs a reconnect', () => {
    expect(chosen([])).toBe('account_not_connected');
    expect(chosen([candidate('a', { state: 'reconnect-needed' })])).toBe('reconnect_needed');
  });
});
