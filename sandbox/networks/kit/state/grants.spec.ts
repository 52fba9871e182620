import { FixedClock } from '#libs/clock/testing';
import { Grants } from './grants.js';

const HOUR_MS = 3_600_000;

function world() {
  const clock = new FixedClock(new Date('2026-01-01T00:00:00Z'));
  const lines: { readonly kind: string }[] = [];
  let issued = 0;
  const make = (): Grants =>
    new Grants({ append: (...records) => void lines.push(...records) }, clock, {
      kind: 'net.grant',
      lifetimes: () => ({ access: 3_600, refresh: 86_400 }),
      token: (kind) => `${kind}-${++issued}`,
    });
  const grants = make();
  const tokens = grants.issue({ accountId: '1', scopes: ['post'], refreshable: true });
  return { clock, lines, grants, make, tokens };
}

describe('grants of a network', () => {
  it('accept an access token until its end', () => {
    const { clock, grants, tokens } = world();
    expect(grants.byAccessToken(tokens.accessToken)?.accountId).toBe('1');
    expect(grants.endOf(tokens.accessToken)).toBeNull();
    clock.advance(HOUR_MS);
    expect(grants.byAccessToken(tokens.accessToken)).toBeUndefined();
    expect(grants.endOf(tokens.accessToken)).toBe('expired');
    expect(grants.endOf(tokens.refreshToken ?? '')).toBeNull();
  });

  it('never end without a lifetime', () => {
    const { clock, grants } = world();
    const lifetimes = { access: null, refresh: null };
    const { accessToken } = grants.issue({ accountId: '1', scopes: [], refreshable: false, lifetimes });
    clock.advance(1_000_000 * HOUR_MS);
    expect(grants.byAccessToken(accessToken)).toBeDefined();
  });

  it('replace both tokens by rotation', () => {
    const { grants, tokens } = world();
    const rotated = grants.rotate(tokens.refreshToken ?? '');
    expect(rotated?.refreshToken).not.toBe(tokens.refreshToken);
    expect(grants.rotate(tokens.refreshToken ?? '')).toBeUndefined();
    expect(grants.endOf(tokens.refreshToken ?? '')).toBe('replaced');
    expect(grants.endOf(tokens.accessToken)).toBe('replaced');
    expect(grants.accountOf(tokens.accessToken)).toBe('1');
  });

  it('keep the refresh token and its end without rotation', () => {
    const { clock, grants, tokens } = world();
    clock.advance(HOUR_MS);
    const refreshed = grants.refresh(tokens.refreshToken ?? '');
    expect(refreshed?.refreshToken).toBeNull();
    expect(grants.byAccessToken(refreshed?.accessToken ?? '')).toBeDefined();
    expect(grants.byRefreshToken(tokens.refreshToken ?? '')?.refreshUntil).toBe(tokens.grant.refreshUntil);
  });

  it('say why they ended', () => {
    const { grants, tokens } = world();
    grants.revoke(tokens.grant, 'password-changed');
    expect(grants.byAccessToken(tokens.accessToken)).toBeUndefined();
    expect(grants.endOf(tokens.accessToken)).toBe('password-changed');
    expect(grants.endOf(tokens.refreshToken ?? '')).toBe('password-changed');
    expect(grants.endOf('never-issued')).toBe('unknown');
  });

  it('are restored from the journal', () => {
    const { lines, grants, make, tokens } = world();
    const ended = grants.issue({ accountId: '2', scopes: [], refreshable: false });
    grants.revoke(ended.grant);
    const restored = make();
    for (const line of lines) restored.restore(line);
    expect(restored.byAccessToken(tokens.accessToken)?.id).toBe(tokens.grant.id);
    expect(restored.endOf(ended.accessToken)).toBe('revoked');
    expect([...restored.snapshot()]).toEqual([{ kind: 'net.grant', grant: tokens.grant }]);
  });
});
