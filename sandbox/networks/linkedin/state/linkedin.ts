import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../../outside-service.js';
import type { Call } from '../../../wire/call.js';
import type { SandboxResponse } from '../../../wire/response.js';
import type { Refusal } from '../../../wire/site.js';
import { SocialNetwork } from '../../kit/network.js';
import { AuthorizationCodes } from '../../kit/oauth/authorization-codes.js';
import type { AppClient } from '../../kit/oauth/authorization-request.js';
import { Accounts } from '../../kit/state/accounts.js';
import { Grants, type IssuedTokens } from '../../kit/state/grants.js';
import { Posts } from '../../kit/state/posts.js';
import { Snowflakes } from '../../kit/state/snowflakes.js';
import { Uploads } from '../../kit/state/uploads.js';
import { LINKEDIN_ACCOUNTS, type LinkedInAccount } from './linkedin-accounts.js';
import { type LinkedInPost, numberOf } from './linkedin-posts.js';
import { LINKEDIN_DEFAULTS, type LinkedInSettings } from './linkedin-settings.js';
import { LINKEDIN_UPLOADS, type LinkedInUpload } from './linkedin-uploads.js';
import { denied, serverError, tooMany, unauthorized } from './problems.js';

/** Lifetime of LinkedIn's codes. */
const CODE_SECONDS = 1_800;
/** Lifetimes in seconds: an access token 60 days, a refresh token a year. */
export const LIFETIMES = { access: 5_184_000, refresh: 31_536_000 };

/** The state of LinkedIn, shared by all its routes. */
export class LinkedIn extends SocialNetwork<LinkedInAccount, LinkedInSettings, LinkedInPost> {
  readonly network = 'linkedin';
  readonly displayName = 'LinkedIn';
  readonly site = 'linkedin.com';
  readonly webPrefix = 'linkedin-web';
  readonly ids: Snowflakes;
  readonly accounts: Accounts<LinkedInAccount>;
  readonly posts: Posts<LinkedInPost>;
  readonly uploads: Uploads<LinkedInUpload>;
  readonly grants: Grants;
  readonly codes: AuthorizationCodes;
  readonly persistent: SocialNetwork['persistent'];

  constructor(world: SandboxContext, client: AppClient) {
    super(world, client, LINKEDIN_DEFAULTS);
    const { clock, journal, files, capacity } = world;
    const ids = (this.ids = new Snowflakes(clock));
    const passed = (id: string): void => ids.passed(numberOf(id));
    this.accounts = new Accounts(journal, clock, { ...LINKEDIN_ACCOUNTS, newId: () => ids.next(), passed });
    this.posts = new Posts(journal, 'linkedin.post', { capacity, passed });
    this.uploads = new Uploads(journal, files, LINKEDIN_UPLOADS.kind, { ...LINKEDIN_UPLOADS, passed });
    this.grants = new Grants(journal, clock, {
      kind: 'linkedin.grant',
      lifetimes: () => LIFETIMES,
      token: () => `AQ${randomBytes(96).toString('base64url')}`,
    });
    this.codes = new AuthorizationCodes(clock, CODE_SECONDS);
    this.persistent = [this.accounts, this.posts, this.uploads, this.grants];
  }

  issue(accountId: string, scopes: readonly string[]): IssuedTokens {
    return this.grants.issue({ accountId, scopes, refreshable: this.settings.refreshTokens === 'on' });
  }

  /** Organizations and members by their URN. */
  byUrn(urn: string): LinkedInAccount | undefined {
    const [, type, id] = /^urn:li:(person|organization):(\w+)$/.exec(urn) ?? [];
    const account = id === undefined ? undefined : this.accounts.find(id);
    return account && (account.kind === 'member') === (type === 'person') ? account : undefined;
  }

  textOf(call: Call): string | undefined {
    const body = call.mediaType === 'application/json' ? call.json?.value : undefined;
    if (typeof body !== 'object' || body === null || !('commentary' in body)) return undefined;
    return typeof body.commentary === 'string' ? body.commentary : undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
      case 'usage-capped':
        return tooMany('posts');
      case 'unauthorized':
        return unauthorized('unknown');
      case 'forbidden':
        return denied('partnerApiPosts.CREATE');
      case 'server-error':
        return serverError(refusal.status);
    }
  }
}
