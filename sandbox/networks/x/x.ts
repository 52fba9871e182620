import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';
import { type NetworkRules, SocialNetwork } from '../kit/network.js';
import type { SandboxAccount } from '../kit/state/accounts.js';
import type { IssuedTokens } from '../kit/state/grants.js';
import { oneOf } from '../kit/state/members.js';
import type { XPost } from './post-text.js';
import { forbidden, serverError, tooManyRequests, unauthorized, usageCapped } from './problems.js';
import { SCOPES, USER_LIMITS, userLimitHeaders, X_SETTINGS, type XSettings } from './x-settings.js';
import { segmentNames, type XUpload } from './x-uploads.js';

export interface XAccount extends SandboxAccount {
  readonly verified: boolean;
  readonly verifiedType: 'blue' | 'business' | 'government' | 'none';
  /** Subscribers may write 25 000 characters instead of 280. */
  readonly subscriptionType: 'Basic' | 'Premium' | 'PremiumPlus' | 'None';
}

/** X's own lifetimes in seconds: an access token two hours, a refresh token half a year. */
export const LIFETIMES = { access: 7_200, refresh: 183 * 24 * 3_600 };

const RULES: NetworkRules<XAccount, XSettings, XUpload> = {
  network: 'x',
  displayName: 'X',
  site: 'x.com',
  scopes: SCOPES,
  defaultScopes: ['tweet.read', 'users.read', 'tweet.write', 'media.write', 'offline.access'],
  settings: X_SETTINGS,
  accounts: {
    // X's own rule for handles.
    username: /^[A-Za-z0-9_]{1,15}$/,
    usernameInWords: '1 to 15 letters, digits or underscores',
    members: {
      subscriptionType: oneOf('None', 'Basic', 'Premium', 'PremiumPlus'),
      verified: oneOf(true, false),
    },
    defaults: { verified: false, verifiedType: 'none', subscriptionType: 'None' },
    demo: [
      {
        username: 'northwind',
        name: 'Northwind Coffee',
        description: 'Roasted on Tuesdays. Gone by Friday.',
      },
      { username: 'harborbooks', name: 'Harbor Books', description: 'An independent bookshop by the water.' },
      {
        username: 'lumenstudio',
        name: 'Lumen Studio',
        description: 'Light, set and camera.',
        verified: true,
        verifiedType: 'blue',
        subscriptionType: 'Premium',
      },
    ],
  },
  uploads: { kind: 'upload', filesOf: ({ id, segments }) => [id, ...segmentNames(id, segments)] },
  grants: {
    lifetimes: () => LIFETIMES,
    /** Looks like X's own: base64 of a secret, the time and which kind of token it is. */
    token: (kind, now) =>
      Buffer.from(
        `${randomBytes(32).toString('base64url')}:${now}:1:0:${kind === 'access' ? 'at' : 'rt'}:1`,
      ).toString('base64url'),
  },
  codes: { seconds: 30 },
};

export class X extends SocialNetwork<XAccount, XSettings, XPost, XUpload> {
  constructor(world: SandboxContext) {
    super(world, RULES);
  }

  /** Without `offline.access` there is no refresh token. */
  issue({ id }: Pick<XAccount, 'id'>, scopes: readonly string[]): IssuedTokens {
    return this.grants.issue({ accountId: id, scopes, refreshable: scopes.includes('offline.access') });
  }

  textOf(call: Call): string | undefined {
    const { text } = call.record;
    return typeof text === 'string' ? text : undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited': {
        const reset = Math.floor(this.now / 1000) + refusal.resetSeconds;
        const limit = USER_LIMITS['POST /2/tweets']?.limit ?? 0;
        return tooManyRequests(userLimitHeaders({ limit, remaining: 0, reset }));
      }
      case 'usage-capped':
        return usageCapped();
      case 'unauthorized':
        return unauthorized();
      case 'forbidden':
        return forbidden(refusal.reason);
      case 'server-error':
        return serverError(refusal.status);
    }
  }
}
