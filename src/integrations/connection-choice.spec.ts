import type { Platform } from '#libs/content';
import type { Candidate, ConnectionRequest } from './connection-choice.js';
import { chooseConnection } from './connection-choice.js';

const candidate = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  id,
  userId: 'somebody',
  accountId: id,
  state: 'active',
  accountKey: id,
  heldUntil: null,
  holdReason: null,
  ...more,
});
const request: ConnectionRequest = { brandId: 'brand', platform: 'x' as Platform, authorId: 'author' };
const chosen = (candidates: Candidate[], more: Partial<ConnectionRequest> = {}) => {
  const choice = chooseConnection(candidates, { ...request, ...more });
  return choice.kind === 'connection' ? choice.connectionId : choice.failure.code;
};

describe('choosing where a post goes out', () => {
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

  it('keeps to an explicit target', () => {
    expect(
      chosen([candidate('a', { userId: 'author' }), candidate('b')], { target: { connectionId: 'b' } }),
    ).toBe('b');
    expect(chosen([candidate('a'), candidate('b')], { target: { accountId: 'b' } })).toBe('b');
    expect(chosen([candidate('a')], { target: { connectionId: 'b' } })).toBe('account_not_connected');
  });

  it('tells a missing connection from one that has to be renewed', () => {
    expect(chosen([])).toBe('account_not_connected');
    expect(chosen([candidate('a', { state: 'reconnect-needed' })])).toBe('reconnect_needed');
  });
});
