import type { Clock } from '#libs/clock';
import type { Journal, Persistent } from '../../journal.js';
import type { AccountName } from '../../ledger/effect.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Call } from '../../wire/call.js';
import type { Disturbable, Refusal } from '../../wire/site.js';
import { AuthorizationCodes } from './authorization-codes.js';
import { forbidden, serverError, tooManyRequests, unauthorized, usageCapped } from './problems.js';
import { RateWindows, USER_LIMITS, userLimitHeaders } from './rate-limits.js';
import { Snowflakes } from './snowflake.js';
import type { XAccount } from './x-accounts.js';
import { XAccounts } from './x-accounts.js';
import { XGrants } from './x-grants.js';
import type { SandboxFiles } from '../../files.js';
import { XUploads } from './x-uploads.js';
import { XPosts } from './x-posts.js';
import { X_DEFAULTS } from './x-settings.js';

/** The app that is registered with X. */
export interface XClient {
  readonly id: string;
  /** Null: a public client, which has none. */
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
}

/** The state of the network X, shared by all its routes. */
export class X implements Disturbable {
  readonly network = 'x';
  readonly accounts: XAccounts;
  readonly posts: XPosts;
  readonly uploads: XUploads;
  readonly grants: XGrants;
  readonly codes: AuthorizationCodes;
  readonly windows: RateWindows;
  settings = X_DEFAULTS;
  /** Where the sandbox listens. */
  baseUrl = '';

  constructor(
    readonly clock: Clock,
    readonly client: XClient,
    readonly ledger: Ledger,
    readonly journal: Journal,
    readonly files: SandboxFiles,
    capacity: number,
  ) {
    const ids = new Snowflakes(clock);
    this.accounts = new XAccounts(ids, clock);
    this.posts = new XPosts(ids, capacity);
    this.uploads = new XUploads(ids, files, journal);
    this.grants = new XGrants(clock);
    this.codes = new AuthorizationCodes(clock);
    this.windows = new RateWindows(clock);
  }

  get persistent(): readonly Persistent[] {
    return [this.accounts, this.posts, this.uploads, this.grants];
  }

  get webUrl(): string {
    return `${this.baseUrl}/x-web`;
  }

  clear(): void {
    const parts = [this.accounts, this.posts, this.uploads, this.grants, this.windows];
    for (const part of parts) part.clear();
    this.settings = X_DEFAULTS;
    this.seed();
  }

  seed(): void {
    this.remember(...this.accounts.seed());
  }

  remember(...accounts: readonly XAccount[]): void {
    this.journal.append(...accounts.map((account) => ({ kind: 'x.account', account })));
  }

  accountOf(call: Call): AccountName | undefined {
    const form = call.bearerToken === null ? call.form : new URLSearchParams();
    const token = call.bearerToken ?? form.get('refresh_token') ?? form.get('token');
    const code = form.get('code');
    const owner =
      (token ? this.grants.owning(token)?.accountId : undefined) ??
      (code ? this.codes.peek(code)?.accountId : undefined);
    return owner === undefined ? undefined : this.accounts.find(owner);
  }

  textOf(call: Call): string | undefined {
    const body = call.mediaType === 'application/json' ? call.json?.value : undefined;
    if (typeof body !== 'object' || body === null || !('text' in body)) return undefined;
    return typeof body.text === 'string' ? body.text : undefined;
  }

  refuse(refusal: Refusal): ReturnType<typeof unauthorized> {
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
