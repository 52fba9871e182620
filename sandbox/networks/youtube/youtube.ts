import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';
import { type NetworkRules, SocialNetwork } from '../kit/network.js';
import type { SandboxAccount } from '../kit/state/accounts.js';
import type { IssuedTokens } from '../kit/state/grants.js';
import { amount, choice, flag, onOff, type SettingsOf } from '../kit/state/members.js';
import { authError, googleError } from './google-errors.js';
import type { YoutubeSession, YoutubeVideo } from './youtube-videos.js';

/** A Google account, with its channel if it has one. The id is that of the channel. */
export interface YoutubeAccount extends SandboxAccount {
  readonly hasChannel: boolean;
}

const MANY = 10_000_000;

const SETTINGS = {
  /** Uploads that the project may begin in 24 hours, then `quotaExceeded`. */
  uploadsPerDay: amount(1_000_000, MANY),
  /** Videos that a channel may publish in 24 hours, then `uploadLimitExceeded`. YouTube does not publish the number. */
  uploadsPerChannel: amount(1_000_000, MANY),
  /** false: uploads of the project are private whatever is asked for (since 2020-07-28). */
  verifiedProject: onOff(true),
  /** Each part is stored up to so many bytes; 0: all of it. */
  storedBytesOfPart: amount(0, MANY),
  /** Bytes that were received before are ignored, or the part is refused. Google documents neither for YouTube. */
  bytesSentAgain: choice('ignored', 'refused'),
  sessionSeconds: amount(7 * 86_400),
};
type YoutubeSettings = SettingsOf<typeof SETTINGS>;

/** Scopes of Google that the app can ask for, with their text on the consent page. */
export const SCOPES = {
  'https://www.googleapis.com/auth/youtube.upload': 'Manage your YouTube videos.',
  'https://www.googleapis.com/auth/youtube.readonly': 'View your YouTube account.',
  'https://www.googleapis.com/auth/youtube': 'Manage your YouTube account.',
} as const;

/** An hour; a refresh token lasts until half a year without use. */
export const LIFETIMES = { access: 3_599, refresh: 183 * 86_400 };

const RULES: NetworkRules<YoutubeAccount, YoutubeSettings, YoutubeSession> = {
  network: 'youtube',
  displayName: 'YouTube',
  site: 'youtube.com',
  scopes: SCOPES,
  defaultScopes: [
    'https://www.googleapis.com/auth/youtube.upload',
    'https://www.googleapis.com/auth/youtube.readonly',
  ],
  settings: SETTINGS,
  accounts: {
    // `UC` and 22 characters, as channels of YouTube have.
    newId: () => `UC${randomBytes(17).toString('base64url').slice(0, 22)}`,
    username: /^[A-Za-z0-9_.-]{3,30}$/,
    usernameInWords: '3 to 30 letters, digits, dots, hyphens or underscores',
    members: { hasChannel: flag },
    defaults: { hasChannel: true },
    demo: [
      {
        username: 'northwind',
        name: 'Northwind Coffee',
        description: 'Roasted on Tuesdays. Gone by Friday.',
      },
      { username: 'lumenstudio', name: 'Lumen Studio', description: 'Light, set and camera.' },
      { username: 'nochannel', name: 'A viewer', description: 'Only watches.', hasChannel: false },
    ],
  },
  posts: 'video',
  uploads: { kind: 'session', filesOf: ({ id }) => [id] },
  grants: {
    lifetimes: () => LIFETIMES,
    token: (kind) => `${kind === 'access' ? 'ya29.' : '1//0'}${randomBytes(60).toString('base64url')}`,
  },
  codes: { seconds: 600, newCode: () => `4/0${randomBytes(48).toString('base64url')}` },
};

export class Youtube extends SocialNetwork<YoutubeAccount, YoutubeSettings, YoutubeVideo, YoutubeSession> {
  constructor(world: SandboxContext) {
    super(world, RULES);
  }

  issue({ id }: YoutubeAccount, scopes: readonly string[]): IssuedTokens {
    return this.grants.issue({ accountId: id, scopes, refreshable: true });
  }

  /** Of an announcement: the description. */
  textOf(call: Call): string | undefined {
    const { snippet } = call.record as { snippet?: { description?: unknown } | null };
    return typeof snippet?.description === 'string' ? snippet.description : undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
        return googleError(403, 'rateLimitExceeded', {
          domain: 'usageLimits',
          headers: { 'retry-after': String(refusal.resetSeconds) },
        });
      case 'usage-capped':
        return googleError(403, 'quotaExceeded', { domain: 'youtube.quota' });
      case 'unauthorized':
        return authError();
      case 'forbidden':
        return googleError(403, refusal.reason === 'not-permitted' ? 'forbidden' : refusal.reason);
      case 'server-error':
        return googleError(refusal.status, 'backendError', { domain: 'global' });
    }
  }
}
