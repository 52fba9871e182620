import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#libs/clock';
import type { JournalRecord, Persistent } from '../../journal.js';

/** X's own lifetimes: an access token two hours, a refresh token half a year. */
export const ACCESS_TOKEN_SECONDS = 7_200;
const REFRESH_TOKEN_SECONDS = 183 * 24 * 3_600;
const MAX_GRANTS = 20_000;

/** One consent of one account. Only digests of the tokens are kept. */
export interface XGrant {
  readonly id: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly access: string;
  readonly accessUntil: number;
  readonly refresh: string | null;
  readonly refreshUntil: number;
}

export interface IssuedTokens {
  readonly grant: XGrant;
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

export class XGrants implements Persistent {
  private readonly grants = new Map<string, XGrant>();
  private readonly byAccess = new Map<string, XGrant>();
  private readonly byRefresh = new Map<string, XGrant>();

  constructor(private readonly clock: Clock) {}

  issue(
    accountId: string,
    scopes: readonly string[],
    id: string = randomBytes(9).toString('hex'),
  ): IssuedTokens {
    const now = this.clock.now().getTime();
    const accessToken = token('at', now);
    const refreshToken = scopes.includes('offline.access') ? token('rt', now) : null;
    const grant = {
      id,
      accountId,
      scopes,
      access: digest(accessToken),
      accessUntil: now + ACCESS_TOKEN_SECONDS * 1000,
      refresh: refreshToken === null ? null : digest(refreshToken),
      refreshUntil: now + REFRESH_TOKEN_SECONDS * 1000,
    };
    this.keep(grant);
    return { grant, accessToken, refreshToken };
  }

  /** The grant of a valid access token. */
  byAccessToken(accessToken: string): XGrant | undefined {
    const grant = this.byAccess.get(digest(accessToken));
    return grant && grant.accessUntil > this.clock.now().getTime() ? grant : undefined;
  }

  /** Replaces the tokens of the grant. A refresh token works once; the old pair becomes invalid. */
  rotate(refreshToken: string): IssuedTokens | undefined {
    const grant = this.byRefresh.get(digest(refreshToken));
    if (!grant || grant.refreshUntil <= this.clock.now().getTime()) return undefined;
    return this.issue(grant.accountId, grant.scopes, grant.id);
  }

  /** The grant of a token, valid or not. */
  owning(anyToken: string): XGrant | undefined {
    const key = digest(anyToken);
    return this.byAccess.get(key) ?? this.byRefresh.get(key);
  }

  expire(accountId: string, which: 'access' | 'refresh' | 'both'): XGrant[] {
    const now = this.clock.now().getTime();
    return this.of(accountId).map((grant) =>
      this.keep({
        ...grant,
        accessUntil: which === 'refresh' ? grant.accessUntil : Math.min(now, grant.accessUntil),
        refreshUntil: which === 'access' ? grant.refreshUntil : Math.min(now, grant.refreshUntil),
      }),
    );
  }

  of(accountId: string): XGrant[] {
    return [...this.grants.values()].filter((grant) => grant.accountId === accountId);
  }

  revoke(grant: XGrant): void {
    this.forget(grant);
    this.grants.delete(grant.id);
  }

  clear(): void {
    for (const map of [this.grants, this.byAccess, this.byRefresh]) map.clear();
  }

  restore(record: JournalRecord): void {
    if (record.kind === 'x.grant') this.keep(record.grant as XGrant);
    if (record.kind !== 'x.grant.revoked') return;
    const grant = this.grants.get(String(record.id));
    if (grant) this.revoke(grant);
  }

  *snapshot(): Generator<JournalRecord> {
    for (const grant of this.grants.values()) yield { kind: 'x.grant', grant };
  }

  private keep(grant: XGrant): XGrant {
    const replaced = this.grants.get(grant.id);
    if (replaced) this.forget(replaced);
    this.grants.set(grant.id, grant);
    this.byAccess.set(grant.access, grant);
    if (grant.refresh !== null) this.byRefresh.set(grant.refresh, grant);
    const [oldest] = this.grants.values();
    if (oldest && this.grants.size > MAX_GRANTS) this.revoke(oldest);
    return grant;
  }

  private forget(grant: XGrant): void {
    this.byAccess.delete(grant.access);
    if (grant.refresh !== null) this.byRefresh.delete(grant.refresh);
  }
}

export const digest = (secret: string): string => hash('sha256', secret, 'hex');

/** Compares two secrets in constant time. */
export const isSame = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(digest(left)), Buffer.from(digest(right)));

/** Looks like X's own: base64 of a secret, the time and which kind of token it is. */
const token = (kind: 'at' | 'rt', now: number): string =>
  Buffer.from(`${randomBytes(32).toString('base64url')}:${now}:1:0:${kind}:1`).toString('base64url');
