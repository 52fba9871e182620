import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../../../outside-service.js';
import type { Call } from '../../../wire/call.js';
import { type SandboxResponse, withHeaders } from '../../../wire/response.js';
import type { Refusal } from '../../../wire/site.js';
import { graphProblem, serverProblem, tokenProblem } from '../../graph/graph-problems.js';
import { SocialNetwork } from '../../kit/network.js';
import { AuthorizationCodes } from '../../kit/oauth/authorization-codes.js';
import type { AppClient } from '../../kit/oauth/authorization-request.js';
import { Grants, type IssuedTokens } from '../../kit/state/grants.js';
import { Posts, type SandboxPost } from '../../kit/state/posts.js';
import { Snowflakes } from '../../kit/state/snowflakes.js';
import { Uploads } from '../../kit/state/uploads.js';
import { type FacebookAccount, FacebookAccounts } from './facebook-accounts.js';
import { FACEBOOK_DEFAULTS, type FacebookSettings } from './facebook-settings.js';
import { FACEBOOK_UPLOADS, type FacebookUpload } from './facebook-uploads.js';

const CODE_SECONDS = 600;
const SHORT_SECONDS = 5_400;
export const LONG_SECONDS = 5_184_000;

export interface FacebookPost extends SandboxPost {
  readonly link: string | null;
  readonly title?: string;
}

/** The state of the network Facebook, shared by all its routes. */
export class Facebook extends SocialNetwork<FacebookAccount, FacebookSettings, FacebookPost> {
  readonly network = 'facebook';
  readonly displayName = 'Facebook';
  readonly site = 'facebook.com';
  readonly webPrefix = 'facebook-web';
  readonly ids: Snowflakes;
  readonly accounts: FacebookAccounts;
  readonly posts: Posts<FacebookPost>;
  readonly uploads: Uploads<FacebookUpload>;
  readonly grants: Grants;
  readonly codes: AuthorizationCodes;
  readonly persistent: SocialNetwork['persistent'];

  constructor(world: SandboxContext, client: AppClient) {
    super(world, client, FACEBOOK_DEFAULTS);
    const { clock, journal, files, capacity } = world;
    const ids = (this.ids = new Snowflakes(clock));
    const passed = (id: string): void => ids.passed(id.split('_').at(-1) ?? id);
    this.accounts = new FacebookAccounts(journal, clock, ids);
    this.posts = new Posts(journal, 'facebook.post', { capacity, passed });
    this.uploads = new Uploads(journal, files, FACEBOOK_UPLOADS.kind, { ...FACEBOOK_UPLOADS, passed });
    this.grants = new Grants(journal, clock, {
      kind: 'facebook.grant',
      lifetimes: () => ({ access: SHORT_SECONDS, refresh: null }),
      token: () => `EAA${randomBytes(90).toString('base64url').replaceAll(/[-_]/g, 'Z')}`,
    });
    this.codes = new AuthorizationCodes(clock, CODE_SECONDS);
    this.persistent = [this.accounts, this.posts, this.uploads, this.grants];
  }

  /** Of a person, for 90 minutes or 60 days. */
  personToken(personId: string, scopes: readonly string[], lives: 'short' | 'long'): IssuedTokens {
    const access = lives === 'long' ? LONG_SECONDS : SHORT_SECONDS;
    const lifetimes = { access, refresh: null };
    return this.grants.issue({ accountId: personId, scopes, refreshable: false, lifetimes });
  }

  /** Of a page, for a person; it does not expire by time. */
  pageToken(pageId: string, personId: string, scopes: readonly string[]): IssuedTokens {
    const lifetimes = { access: null, refresh: null };
    const details = { person: personId };
    return this.grants.issue({ accountId: pageId, scopes, refreshable: false, lifetimes, details });
  }

  /** Every token of the person and of pages for the person. */
  endConsent(personId: string, reason: string): number {
    const ended = [...this.grants.all].filter(
      ({ accountId, details }) => accountId === personId || details?.person === personId,
    );
    for (const grant of ended) this.grants.revoke(grant, reason);
    return ended.length;
  }

  textOf(call: Call): string | undefined {
    return call.form.get('message') ?? call.form.get('description') ?? undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
        return withHeaders(graphProblem({ code: 32, message: '(#32) Page request limit reached' }), {
          'x-business-use-case-usage': businessUsage(100, Math.ceil(refusal.resetSeconds / 60)),
        });
      case 'usage-capped':
        return graphProblem({ code: 4, message: '(#4) Application request limit reached' });
      case 'unauthorized':
        return graphProblem(tokenProblem('password'));
      case 'forbidden':
        return graphProblem({ code: 200, message: '(#200) Permissions error', status: 403 });
      case 'server-error':
        return graphProblem(serverProblem(refusal.status));
    }
  }

  /** Upload hosts take `Authorization: OAuth`. */
  protected override tokenIn(call: Call): string | null {
    return /^OAuth (\S+)$/.exec(call.headers.authorization ?? '')?.[1] ?? super.tokenIn(call);
  }
}

/** @param minutes until calls are accepted again */
export const businessUsage = (percent: number, minutes = 0): string => {
  const shares = { call_count: percent, total_cputime: 1, total_time: 1 };
  return JSON.stringify({ '1': [{ type: 'pages', ...shares, estimated_time_to_regain_access: minutes }] });
};
