import { randomBytes } from 'node:crypto';
import type { AccountName } from '../../../ledger/effect.js';
import type { SandboxContext } from '../../../outside-service.js';
import type { Call } from '../../../wire/call.js';
import type { SandboxResponse } from '../../../wire/response.js';
import type { Refusal } from '../../../wire/site.js';
import { SocialNetwork } from '../../kit/network.js';
import { AuthorizationCodes } from '../../kit/oauth/authorization-codes.js';
import type { AppClient } from '../../kit/oauth/authorization-request.js';
import { Accounts } from '../../kit/state/accounts.js';
import { Grants } from '../../kit/state/grants.js';
import { Posts } from '../../kit/state/posts.js';
import { Snowflakes } from '../../kit/state/snowflakes.js';
import { Uploads } from '../../kit/state/uploads.js';
import { TIKTOK_ACCOUNTS, type TikTokAccount } from './tiktok-accounts.js';
import { type Publication, PUBLICATIONS, type TikTokPost } from './tiktok-publications.js';
import { type ErrorCode, errorOf, isErrorCode } from './tiktok-responses.js';
import { TIKTOK_DEFAULTS, type TikTokSettings } from './tiktok-settings.js';

/** TikTok does not publish the lifetime of a code. */
const CODE_SECONDS = 300;

/** The state of TikTok, shared by all its routes. */
export class TikTok extends SocialNetwork<TikTokAccount, TikTokSettings, TikTokPost> {
  readonly network = 'tiktok';
  readonly displayName = 'TikTok';
  readonly site = 'www.tiktok.com';
  readonly webPrefix = 'tiktok-web';
  readonly ids: Snowflakes;
  readonly accounts: Accounts<TikTokAccount>;
  readonly posts: Posts<TikTokPost>;
  readonly publications: Uploads<Publication>;
  readonly grants: Grants;
  readonly codes: AuthorizationCodes;
  readonly persistent: SocialNetwork['persistent'];

  constructor(world: SandboxContext, client: AppClient) {
    super(world, client, TIKTOK_DEFAULTS);
    const { clock, journal, files, capacity } = world;
    this.ids = new Snowflakes(clock);
    this.accounts = new Accounts(journal, clock, TIKTOK_ACCOUNTS);
    const passed = (id: string): void => this.ids.passed(id);
    this.posts = new Posts(journal, 'tiktok.post', { capacity, passed });
    this.publications = new Uploads(journal, files, PUBLICATIONS.kind, PUBLICATIONS);
    this.grants = new Grants(journal, clock, {
      kind: 'tiktok.grant',
      lifetimes: () => ({
        access: this.settings.accessTokenSeconds,
        refresh: this.settings.refreshTokenSeconds,
      }),
      token: (kind) =>
        `${kind === 'access' ? 'act' : 'rft'}.${randomBytes(40).toString('base64url')}!6288.va`,
    });
    // Codes of TikTok have characters that are encoded in addresses.
    const newCode = (): string => `${randomBytes(40).toString('base64url')}*0!6288.va`;
    this.codes = new AuthorizationCodes(clock, CODE_SECONDS, newCode);
    this.persistent = [this.accounts, this.posts, this.publications, this.grants];
  }

  /** An error of an API route, by the setting `errorStatus`. */
  error(code: ErrorCode, detail = ''): SandboxResponse {
    return errorOf(code, this.settings.errorStatus === 'always-200' ? 200 : undefined, detail);
  }

  /** An upload address has no token of an account: it names the upload. */
  override accountOf(call: Call): AccountName | undefined {
    const upload = this.publications.find(call.query.get('upload_id') ?? '');
    return upload ? this.accounts.find(upload.accountId) : super.accountOf(call);
  }

  textOf(call: Call): string | undefined {
    const upload = this.publications.find(call.query.get('upload_id') ?? '');
    if (upload) return upload.info.title;
    const body = call.mediaType === 'application/json' ? call.json?.value : undefined;
    const info = (body as { post_info?: { title?: unknown; description?: unknown } } | null | undefined)
      ?.post_info;
    const text = info?.description ?? info?.title;
    return typeof text === 'string' ? text : undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
        return this.error('rate_limit_exceeded');
      case 'usage-capped':
        return this.error('reached_active_user_cap');
      case 'unauthorized':
        return this.error('access_token_invalid');
      case 'forbidden':
        return this.error(
          isErrorCode(refusal.reason) ? refusal.reason : 'spam_risk_user_banned_from_posting',
        );
      case 'server-error':
        return errorOf('internal_error', refusal.status);
    }
  }
}
