import type { Call } from '../../../wire/call.js';
import type { SandboxResponse } from '../../../wire/response.js';
import type { Refusal } from '../../../wire/site.js';
import type { SandboxContext } from '../../../outside-service.js';
import { SocialNetwork } from '../../kit/network.js';
import type { AppClient } from '../../kit/oauth/authorization-request.js';
import { AuthorizationCodes } from '../../kit/oauth/authorization-codes.js';
import { Accounts } from '../../kit/state/accounts.js';
import { Grants } from '../../kit/state/grants.js';
import { Posts } from '../../kit/state/posts.js';
import { Snowflakes } from '../../kit/state/snowflakes.js';
import { Uploads } from '../../kit/state/uploads.js';
import { forbidden, serverError, tooManyRequests, unauthorized, usageCapped } from './problems.js';
import { USER_LIMITS, userLimitHeaders } from './rate-limits.js';
import { X_ACCOUNTS, type XAccount } from './x-accounts.js';
import { X_GRANTS } from './x-grants.js';
import type { XPost } from './x-posts.js';
import { X_DEFAULTS, type XSettings } from './x-settings.js';
import { X_UPLOADS, type XUpload } from './x-uploads.js';

/** Lifetime of X's codes. */
const CODE_SECONDS = 30;

/** The state of the network X, shared by all its routes. */
export class X extends SocialNetwork<XAccount, XSettings, XPost> {
  readonly network = 'x';
  readonly displayName = 'X';
  readonly site = 'x.com';
  readonly webPrefix = 'x-web';
  readonly ids: Snowflakes;
  readonly accounts: Accounts<XAccount>;
  readonly posts: Posts<XPost>;
  readonly uploads: Uploads<XUpload>;
  readonly grants: Grants;
  readonly codes: AuthorizationCodes;
  readonly persistent: SocialNetwork['persistent'];

  constructor(world: SandboxContext, client: AppClient) {
    super(world, client, X_DEFAULTS);
    const { clock, journal, files, capacity } = world;
    const ids = (this.ids = new Snowflakes(clock));
    const passed = (id: string): void => ids.passed(id);
    this.accounts = new Accounts(journal, clock, { ...X_ACCOUNTS, newId: () => ids.next(), passed });
    this.posts = new Posts(journal, 'x.post', { capacity, passed });
    this.uploads = new Uploads(journal, files, X_UPLOADS.kind, { ...X_UPLOADS, passed });
    this.grants = new Grants(journal, clock, X_GRANTS);
    this.codes = new AuthorizationCodes(clock, CODE_SECONDS);
    this.persistent = [this.accounts, this.posts, this.uploads, this.grants];
  }

  textOf(call: Call): string | undefined {
    const body = call.mediaType === 'application/json' ? call.json?.value : undefined;
    if (typeof body !== 'object' || body === null || !('text' in body)) return undefined;
    return typeof body.text === 'string' ? body.text : undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited': {
        const reset = Math.floor(this.clock.now().getTime() / 1000) + refusal.resetSeconds;
        const limit = USER_LIMITS['POST /2/tweets']?.limit ?? 0;
        return tooManyRequests(userLimitHeaders({ allowed: false, limit, remaining: 0, reset }));
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
