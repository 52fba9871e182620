import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../../outside-service.js';
import type { Call } from '../../../wire/call.js';
import type { SandboxResponse } from '../../../wire/response.js';
import type { Refusal } from '../../../wire/site.js';
import { SocialNetwork } from '../../kit/network.js';
import type { AppClient } from '../../kit/oauth/authorization-request.js';
import { AuthorizationCodes } from '../../kit/oauth/authorization-codes.js';
import { Accounts } from '../../kit/state/accounts.js';
import { Grants } from '../../kit/state/grants.js';
import { Posts } from '../../kit/state/posts.js';
import { Uploads } from '../../kit/state/uploads.js';
import { authError, googleError } from './google-errors.js';
import { YOUTUBE_ACCOUNTS, type YoutubeAccount } from './youtube-accounts.js';
import { YOUTUBE_DEFAULTS, type YoutubeSettings } from './youtube-settings.js';
import { YOUTUBE_SESSIONS, type YoutubeSession, type YoutubeVideo } from './youtube-videos.js';

const CODE_SECONDS = 600;
/** An hour; a refresh token lasts until half a year without use. */
const LIFETIMES = { access: 3_599, refresh: 183 * 86_400 };
export const ACCESS_TOKEN_SECONDS = LIFETIMES.access;

/** The state of Google's accounts and of YouTube, shared by all their routes. */
export class Youtube extends SocialNetwork<YoutubeAccount, YoutubeSettings, YoutubeVideo> {
  readonly network = 'youtube';
  readonly displayName = 'YouTube';
  readonly site = 'youtube.com';
  readonly webPrefix = 'youtube-web';
  readonly accounts: Accounts<YoutubeAccount>;
  readonly posts: Posts<YoutubeVideo>;
  readonly sessions: Uploads<YoutubeSession>;
  readonly grants: Grants;
  readonly codes: AuthorizationCodes;
  readonly persistent: SocialNetwork['persistent'];

  constructor(world: SandboxContext, client: AppClient) {
    super(world, client, YOUTUBE_DEFAULTS);
    const { clock, journal, files, capacity } = world;
    this.accounts = new Accounts(journal, clock, YOUTUBE_ACCOUNTS);
    this.posts = new Posts(journal, 'youtube.video', { capacity });
    this.sessions = new Uploads(journal, files, YOUTUBE_SESSIONS.kind, YOUTUBE_SESSIONS);
    this.grants = new Grants(journal, clock, {
      kind: 'youtube.grant',
      lifetimes: () => LIFETIMES,
      token: (kind) => `${kind === 'access' ? 'ya29.' : '1//0'}${randomBytes(60).toString('base64url')}`,
    });
    this.codes = new AuthorizationCodes(
      clock,
      CODE_SECONDS,
      () => `4/0${randomBytes(48).toString('base64url')}`,
    );
    this.persistent = [this.accounts, this.posts, this.sessions, this.grants];
  }

  /** Of an announcement: the description. */
  textOf(call: Call): string | undefined {
    const body = call.mediaType === 'application/json' ? call.json?.value : undefined;
    const snippet = (body as { snippet?: { description?: unknown } } | null | undefined)?.snippet;
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
