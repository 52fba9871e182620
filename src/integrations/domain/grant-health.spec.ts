import { type GrantEnds, grantHealthOf } from './grant-health.js';
import type { Renewal } from './provider-grants.js';

const DAY_MS = 86_400_000;
const now = '2026-01-15T10:00:00.000Z';
const inDays = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString();
const byRefresh: Renewal = { by: 'refresh-token', aheadMs: 900_000 };
const byItself: Renewal = { by: 'access-token', aheadMs: 10 * DAY_MS };
const none: GrantEnds = {
  ...{ state: 'active', hasRefreshToken: false },
  ...{ accessExpiresAt: null, refreshExpiresAt: null },
};
const health = (ends: Partial<GrantEnds>, renewal = byRefresh) =>
  grantHealthOf({ ...none, ...ends }, renewal, 7 * DAY_MS, now);

describe('the health of a grant', () => {
  it.each([
    ['without a refresh token', { accessExpiresAt: inDays(60) }, 'healthy', false],
    ['without a refresh token, a week before', { accessExpiresAt: inDays(7) }, 'ends-soon', false],
    ['without a refresh token, afterwards', { accessExpiresAt: inDays(-1) }, 'ended', false],
    ['without a stated end', {}, 'healthy', false],
    [
      'with a refresh token, though the access token ends in an hour',
      { hasRefreshToken: true, accessExpiresAt: inDays(1 / 24) },
      'healthy',
      true,
    ],
    [
      'with a refresh token that ends',
      { hasRefreshToken: true, accessExpiresAt: inDays(60), refreshExpiresAt: inDays(6) },
      'ends-soon',
      true,
    ],
    ['that the network ended', { state: 'reconnect-needed', accessExpiresAt: inDays(60) }, 'ended', false],
  ] as const)('%s is %s', (_, ends, state, renewable) => {
    expect(health(ends)).toMatchObject({ state, renewable });
  });

  it('names the end that counts', () => {
    const [accessExpiresAt, refreshExpiresAt] = [inDays(1), inDays(365)];
    expect(health({ accessExpiresAt }).endsAt).toBe(accessExpiresAt);
    expect(health({ hasRefreshToken: true, accessExpiresAt, refreshExpiresAt }).endsAt).toBe(
      refreshExpiresAt,
    );
  });

  it('names no end in the future of a grant that the network ended', () => {
    const state = 'reconnect-needed';
    expect(health({ state, accessExpiresAt: inDays(60) })).toEqual({
      state: 'ended',
      endsAt: null,
      renewable: false,
    });
    expect(health({ state, accessExpiresAt: inDays(-1) }).endsAt).toBe(inDays(-1));
  });

  it.each([
    [8, 'healthy'],
    [6, 'healthy'],
    [4.9, 'ends-soon'],
    [-0.1, 'ended'],
  ])('of a token that renews itself, %d days before its end, is %s', (days, state) => {
    expect(health({ accessExpiresAt: inDays(days) }, byItself).state).toBe(state);
  });
});
