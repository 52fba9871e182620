import { randomBytes } from 'node:crypto';
import type { Clock } from '#libs/clock';
import type { SandboxFiles } from '../../files.js';
import { type AccountName, type Effect, type EffectMedia, hintsIn } from '../../ledger/effect.js';
import type { Journal, JournalRecord, Persistent } from '../../ledger/journal.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { FaultInjectable, Refusal } from '../../wire/site.js';
import { AuthorizationCodes } from './oauth/authorization-codes.js';
import type { AppClient } from './oauth/authorization-request.js';
import {
  type AccountRules,
  Accounts,
  Posts,
  type SandboxAccount,
  type SandboxPost,
} from './state/accounts.js';
import { type Grant, type GrantRules, Grants, type IssuedTokens, type Lifetimes } from './state/grants.js';
import { initialOf, type Settings } from './state/members.js';
import { RateWindows } from './state/rate-windows.js';
import { Uploads } from './state/records.js';
import { Snowflakes } from './state/snowflakes.js';

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

export interface NetworkRules<A extends SandboxAccount, S extends object, U extends { readonly id: string }> {
  /** In faults, in the ledger and in the paths of control routes. */
  readonly network: string;
  readonly displayName: string;
  /** The host whose pages it shows, such as `x.com`. */
  readonly site: string;
  /** Every scope, with its text on the consent page. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Of accounts that tests create. Default all. */
  readonly defaultScopes?: readonly string[];
  readonly settings: Settings<S>;
  readonly accounts: AccountRules<A>;
  /** Last part of the kind of posts in the journal. Default `post`. */
  readonly posts?: string;
  /** Last part of the kind of uploads in the journal, and the files that hold their bytes. */
  readonly uploads: {
    readonly kind: string;
    filesOf(upload: U): readonly string[];
    readonly capacity?: number;
  };
  readonly grants: Pick<GrantRules, 'token'> & { lifetimes(settings: S): Lifetimes };
  /** Codes live so many seconds. */
  readonly codes: { readonly seconds: number; readonly newCode?: () => string };
}

/** The state of one network, shared by all its routes. A network adds its words for refusals. */
export abstract class SocialNetwork<
  A extends SandboxAccount = SandboxAccount,
  S extends object = object,
  P extends SandboxPost = SandboxPost,
  U extends { readonly id: string } = { readonly id: string },
> implements FaultInjectable {
  readonly network: string;
  readonly displayName: string;
  readonly site: string;
  readonly client: AppClient;
  readonly ids: Snowflakes;
  readonly accounts: Accounts<A>;
  readonly posts: Posts<P>;
  readonly uploads: Uploads<U>;
  readonly grants: Grants;
  readonly codes: AuthorizationCodes;
  /** What outlives a restart, in the order of its restoration. */
  readonly persistent: readonly (Persistent & { clear(): void })[];

  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly files: SandboxFiles;
  readonly windows: RateWindows;
  settings: S;
  /** Where the sandbox listens. */
  baseUrl = '';

  constructor(
    { client, clock, ledger, journal, files, capacity }: SandboxContext,
    readonly rules: NetworkRules<A, S, U>,
    newAccounts: (...of: ConstructorParameters<typeof Accounts<A>>) => Accounts<A> = (...of) =>
      new Accounts(...of),
  ) {
    const { network, posts = 'post', uploads, grants, codes } = rules;
    this.network = network;
    this.displayName = rules.displayName;
    this.site = rules.site;
    this.client = client;
    this.clock = clock;
    this.ledger = ledger;
    this.journal = journal;
    this.files = files;
    this.windows = new RateWindows(clock);
    this.settings = initialOf(rules.settings);
    this.ids = new Snowflakes(clock);
    const passed = (id: string): void => this.ids.passed(/\d+$/.exec(id)?.[0] ?? '0');
    const ofAccounts = { newId: () => this.ids.next(), ...rules.accounts, passed };
    this.accounts = newAccounts(journal, clock, `${network}.account`, ofAccounts);
    this.posts = new Posts(journal, `${network}.${posts}`, { capacity, passed });
    this.uploads = new Uploads(journal, files, `${network}.${uploads.kind}`, { ...uploads, passed });
    const lifetimes = () => grants.lifetimes(this.settings);
    this.grants = new Grants(journal, clock, { ...grants, kind: `${network}.grant`, lifetimes });
    this.codes = new AuthorizationCodes(clock, codes.seconds, codes.newCode ?? newCode);
    this.persistent = [this.accounts, this.posts, this.uploads, this.grants];
  }

  abstract textOf(call: Call): string | undefined;

  abstract refuse(refusal: Refusal): SandboxResponse;

  abstract issue(account: A, scopes: readonly string[]): IssuedTokens;

  /** Epoch milliseconds. */
  get now(): number {
    return this.clock.now().getTime();
  }

  get webPrefix(): string {
    return `${this.network}-web`;
  }

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
    this.settings = initialOf(this.rules.settings);
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

  /** The response with the effect that it reports, which is stored. */
  report(call: Call, caller: Caller, draft: EffectDraft, response: SandboxResponse): SandboxResponse {
    const { effect, line } = this.effect(call, caller, draft);
    this.journal.append(line);
    return { ...response, effect };
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

const newCode = (): string => randomBytes(48).toString('base64url');
