import type { Clock } from '#libs/clock';
import type { SandboxFiles } from '../../files.js';
import type { Journal, JournalRecord, Persistent } from '../../ledger/journal.js';
import { type AccountName, type Effect, type EffectMedia, hintsIn } from '../../ledger/effect.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { SandboxContext } from '../../outside-service.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { FaultInjectable, Refusal } from '../../wire/site.js';
import type { AuthorizationCodes } from './oauth/authorization-codes.js';
import type { AppClient } from './oauth/authorization-request.js';
import type { Accounts, SandboxAccount } from './state/accounts.js';
import type { Grant, Grants } from './state/grants.js';
import type { Posts, SandboxPost } from './state/posts.js';
import { RateWindows } from './state/rate-windows.js';

/** Who makes a call. */
export interface Caller<A extends SandboxAccount = SandboxAccount> {
  readonly account: A;
  readonly grant: Grant;
}

/** An effect before the ledger counts it. */
export interface EffectDraft {
  /** Such as `post.created`. */
  readonly kind: string;
  readonly id: string;
  readonly text?: string | null;
  readonly inReplyTo?: string | null;
  readonly media?: readonly EffectMedia[];
  /** The network's own flag for what a model made. */
  readonly madeWithAi?: boolean;
  /** Instead of now. */
  readonly at?: string;
}

/** The state of one network, shared by all its routes. A network extends it by its own records and its words for refusals. */
export abstract class SocialNetwork<
  A extends SandboxAccount = SandboxAccount,
  S extends object = object,
  P extends SandboxPost = SandboxPost,
> implements FaultInjectable {
  /** In faults, in the ledger and in the paths of control routes. */
  abstract readonly network: string;
  /** On pages. */
  abstract readonly displayName: string;
  /** The host whose pages it shows, such as `x.com`. */
  abstract readonly site: string;
  /** First segment of the paths of its pages, such as `x-web`. */
  abstract readonly webPrefix: string;
  abstract readonly accounts: Accounts<A>;
  abstract readonly grants: Grants;
  abstract readonly codes: AuthorizationCodes;
  abstract readonly posts: Posts<P>;
  /** What outlives a restart, in the order of its restoration. */
  abstract readonly persistent: readonly (Persistent & { clear(): void })[];

  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly files: SandboxFiles;
  readonly windows: RateWindows;
  settings: S;
  /** Where the sandbox listens. */
  baseUrl = '';

  constructor(
    { clock, ledger, journal, files }: Pick<SandboxContext, 'clock' | 'ledger' | 'journal' | 'files'>,
    readonly client: AppClient,
    private readonly defaults: S,
  ) {
    this.clock = clock;
    this.ledger = ledger;
    this.journal = journal;
    this.files = files;
    this.windows = new RateWindows(clock);
    this.settings = defaults;
  }

  /** The text that a call wants to publish, if any. */
  abstract textOf(call: Call): string | undefined;

  abstract refuse(refusal: Refusal): SandboxResponse;

  get webPath(): string {
    return `/${this.webPrefix}`;
  }

  get webUrl(): string {
    return this.baseUrl + this.webPath;
  }

  avatarPath({ username }: SandboxAccount): string {
    return `${this.webPath}/i/avatars/${username}.svg`;
  }

  clear(): void {
    for (const part of [...this.persistent, this.windows]) part.clear();
    this.settings = this.defaults;
    this.accounts.seed();
  }

  accountOf(call: Call): AccountName | undefined {
    const token = this.tokenIn(call);
    const code = call.form.get('code') ?? call.query.get('code');
    const owner =
      (token === null ? undefined : this.grants.accountOf(token)) ??
      (code === null ? undefined : this.codes.peek(code)?.accountId);
    return owner === undefined ? undefined : this.accounts.find(owner);
  }

  /** The caller by the access token of a call; undefined for a token that is not accepted. */
  callerOf(call: Call): Caller<A> | undefined {
    const token = this.tokenIn(call);
    const grant = token === null ? undefined : this.grants.byAccessToken(token);
    const account = grant && this.accounts.find(grant.accountId);
    return account && { account, grant };
  }

  /** Counts the effect; the caller stores the line in the journal together with what the effect changed. */
  effect(
    call: Call,
    { account, grant }: Caller,
    draft: EffectDraft,
  ): { readonly effect: Effect; readonly line: JournalRecord } {
    const { kind, id, text = null, inReplyTo = null, media, madeWithAi } = draft;
    const effect = this.ledger.record({
      network: this.network,
      kind,
      at: draft.at ?? this.clock.now().toISOString(),
      account: { id: account.id, username: account.username },
      id,
      text,
      inReplyTo,
      ...(media && { media }),
      ...(madeWithAi && { madeWithAi }),
      host: call.host,
      token: grant.access.slice(0, 12),
      hints: hintsIn(call.headers),
    });
    return { effect, line: { kind: 'effect', effect } };
  }

  /** The token that authenticates a call or that the call is about. */
  protected tokenIn(call: Call): string | null {
    const { bearerToken, form, query } = call;
    if (bearerToken !== null) return bearerToken;
    for (const name of ['access_token', 'refresh_token', 'token']) {
      const token = form.get(name) ?? query.get(name);
      if (token !== null) return token;
    }
    return null;
  }
}
