import { randomBytes } from 'node:crypto';
import type { GrantRules, Grants, IssuedTokens } from '../../kit/state/grants.js';

/** X's own lifetimes in seconds: an access token two hours, a refresh token half a year. */
const LIFETIMES = { access: 7_200, refresh: 183 * 24 * 3_600 };
export const ACCESS_TOKEN_SECONDS = LIFETIMES.access;

export const X_GRANTS: GrantRules = {
  kind: 'x.grant',
  lifetimes: () => LIFETIMES,
  /** Looks like X's own: base64 of a secret, the time and which kind of token it is. */
  token: (kind, now) =>
    Buffer.from(
      `${randomBytes(32).toString('base64url')}:${now}:1:0:${kind === 'access' ? 'at' : 'rt'}:1`,
    ).toString('base64url'),
};

/** Without `offline.access` there is no refresh token. */
export const issueTokens = (grants: Grants, accountId: string, scopes: readonly string[]): IssuedTokens =>
  grants.issue({ accountId, scopes, refreshable: scopes.includes('offline.access') });
