import { randomBytes } from 'node:crypto';
import type { Clock } from '#libs/clock';
import type { Journal, JournalRecord } from '../../../ledger/journal.js';
import { digest } from './digests.js';
import { Records } from './records.js';

const MAX_GRANTS = 20_000;
const MAX_ENDED = 20_000;
/** The last instant of ECMAScript: the end of a token that never ends. */
const NEVER = 8_640_000_000_000_000;

/** One consent of one account. Only digests of the tokens are kept. Instants in epoch milliseconds. */
export interface Grant {
  readonly id: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly access: string;
  readonly accessUntil: number;
  readonly refresh: string | null;
  readonly refreshUntil: number;
  /** What else the network keeps with it, such as the grant from which it was derived. */
  readonly details?: Readonly<Record<string, string>>;
}

export interface IssuedTokens {
  readonly grant: Grant;
  readonly accessToken: string;
  /** null: none, or the one that the client has. */
  readonly refreshToken: string | null;
}

/** Lifetimes in seconds; null: without an end. */
export interface Lifetimes {
  readonly access: number | null;
  readonly refresh: number | null;
}

export interface GrantRules {
  /** Of the journal, such as `x.grant`. */
  readonly kind: string;
  readonly lifetimes: () => Lifetimes;
  /** A new token in the form of the network. */
  readonly token: (kind: 'access' | 'refresh', now: number) => string;
}

export interface GrantDraft {
  readonly accountId: string;
  readonly scopes: readonly string[];
  /** Whether the grant has a refresh token. */
  readonly refreshable: boolean;
  /** Instead of the network's lifetimes. */
  readonly lifetimes?: Lifetimes;
  readonly details?: Readonly<Record<string, string>>;
}

/** Why a token is not accepted. Networks have reasons of their own for a revocation, such as a changed password. */
export type EndOfToken = 'unknown' | 'expired' | 'replaced' | 'revoked' | (string & {});

export class Grants extends Records<Grant> {
  private readonly byAccess = new Map<string, Grant>();
  private readonly byRefresh = new Map<string, Grant>();
  /** Digests of tokens that ended before their time, oldest first. */
  private readonly ended = new Map<string, { readonly accountId: string; readonly reason: EndOfToken }>();

  constructor(
    journal: Pick<Journal, 'append'>,
    private readonly clock: Clock,
    private readonly rules: GrantRules,
  ) {
    super(journal, rules.kind, { capacity: MAX_GRANTS }, 'revoked');
  }

  issue(draft: GrantDraft, ...also: readonly JournalRecord[]): IssuedTokens {
    return this.renew(draft, randomBytes(9).toString('hex'), also);
  }

  byAccessToken(accessToken: string): Grant | undefined {
    const grant = this.byAccess.get(digest(accessToken));
    return grant && grant.accessUntil > this.now() ? grant : undefined;
  }

  byRefreshToken(refreshToken: string): Grant | undefined {
    const grant = this.byRefresh.get(digest(refreshToken));
    return grant && grant.refreshUntil > this.now() ? grant : undefined;
  }

  /** Replaces both tokens. A refresh token works once; the old pair becomes invalid. */
  rotate(refreshToken: string): IssuedTokens | undefined {
    const grant = this.byRefreshToken(refreshToken);
    return grant && this.renew({ ...grant, refreshable: true }, grant.id, []);
  }

  /** Replaces the access token; the refresh token stays and its end does not move. */
  refresh(refreshToken: string): IssuedTokens | undefined {
    const grant = this.byRefreshToken(refreshToken);
    return grant && this.extend(grant);
  }

  /** Replaces the access token of a grant by a new one with its whole lifetime. */
  extend(grant: Grant, lifetimes: Lifetimes = this.rules.lifetimes()): IssuedTokens {
    const accessToken = this.rules.token('access', this.now());
    const access = { access: digest(accessToken), accessUntil: this.endAfter(lifetimes.access) };
    return { grant: this.keep({ ...grant, ...access }), accessToken, refreshToken: null };
  }

  /** The grant of a token, valid or not. */
  owning(anyToken: string): Grant | undefined {
    const key = digest(anyToken);
    return this.byAccess.get(key) ?? this.byRefresh.get(key);
  }

  /** The account of a token, also of one that ended. */
  accountOf(anyToken: string): string | undefined {
    return this.owning(anyToken)?.accountId ?? this.ended.get(digest(anyToken))?.accountId;
  }

  /** Why a token is not accepted; null: it is. */
  endOf(anyToken: string): EndOfToken | null {
    const key = digest(anyToken);
    const grant = this.byAccess.get(key) ?? this.byRefresh.get(key);
    if (!grant) return this.ended.get(key)?.reason ?? 'unknown';
    const until = grant.access === key ? grant.accessUntil : grant.refreshUntil;
    return until > this.now() ? null : 'expired';
  }

  expire(accountId: string, which: 'access' | 'refresh' | 'both'): Grant[] {
    const now = this.now();
    return this.of(accountId).map((grant) =>
      this.keep({
        ...grant,
        accessUntil: which === 'refresh' ? grant.accessUntil : Math.min(now, grant.accessUntil),
        refreshUntil: which === 'access' ? grant.refreshUntil : Math.min(now, grant.refreshUntil),
      }),
    );
  }

  of(accountId: string): Grant[] {
    return [...this.all].filter((grant) => grant.accountId === accountId);
  }

  revoke(grant: Grant, reason: EndOfToken = 'revoked'): void {
    this.endTokens(grant, reason);
    this.remove(grant);
  }

  override clear(): void {
    super.clear();
    for (const map of [this.byAccess, this.byRefresh, this.ended]) map.clear();
  }

  protected override placed(grant: Grant, replaced: Grant | undefined): void {
    if (replaced) this.endTokens(replaced, 'replaced');
    this.byAccess.set(grant.access, grant);
    this.ended.delete(grant.access);
    if (grant.refresh === null) return;
    this.byRefresh.set(grant.refresh, grant);
    this.ended.delete(grant.refresh);
  }

  protected override dropped(grant: Grant): void {
    if (this.byAccess.has(grant.access)) this.endTokens(grant, 'revoked');
  }

  private renew(draft: GrantDraft, id: string, also: readonly JournalRecord[]): IssuedTokens {
    const { accountId, scopes, refreshable, details, lifetimes = this.rules.lifetimes() } = draft;
    const accessToken = this.rules.token('access', this.now());
    const refreshToken = refreshable ? this.rules.token('refresh', this.now()) : null;
    const grant: Grant = {
      id,
      accountId,
      scopes,
      access: digest(accessToken),
      accessUntil: this.endAfter(lifetimes.access),
      refresh: refreshToken === null ? null : digest(refreshToken),
      refreshUntil: this.endAfter(lifetimes.refresh),
      ...(details && { details }),
    };
    return { grant: this.keep(grant, ...also), accessToken, refreshToken };
  }

  private endTokens({ accountId, access, refresh }: Grant, reason: EndOfToken): void {
    this.byAccess.delete(access);
    if (refresh !== null) this.byRefresh.delete(refresh);
    for (const token of [access, refresh]) if (token !== null) this.ended.set(token, { accountId, reason });
    const [oldest] = this.ended.keys();
    if (oldest !== undefined && this.ended.size > MAX_ENDED) this.ended.delete(oldest);
  }

  private endAfter(seconds: number | null): number {
    return seconds === null ? NEVER : this.now() + seconds * 1000;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
