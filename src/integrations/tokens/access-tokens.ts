import { Injectable } from '@nestjs/common';
import { BatchWriter } from '#libs/concurrency';
import type { Platform } from '#libs/content';
import type { Account } from '../domain/provider-publishing.js';
import { ConnectionRefreshClient } from './connection-refresh.client.js';
import { EndedGrants } from './ended-grants.js';
import { type StoredTokens, TokensStore } from './tokens.store.js';

export type Access =
  | {
      readonly kind: 'usable';
      readonly platform: Platform;
      readonly account: Account;
      readonly organizationId: string;
      readonly accessToken: string;
      readonly tokenVersion: number;
    }
  /** The grant ended: its owner has to connect again. `networkCode`: the network's name of the error that ended it now. */
  | { readonly kind: 'ended'; readonly networkCode?: string }
  /** The encryption keys, the credentials at the network or the address of the API are wrong. */
  | { readonly kind: 'misconfigured' }
  /** It needs a renewal that failed; retry later. */
  | { readonly kind: 'unavailable' };

/** Access tokens for calls to networks, never a token that has expired. Concurrent reads share one query. */
@Injectable()
export class AccessTokens {
  /** Calls in one turn of the event loop share one query. Nothing is cached. */
  private readonly tokens = new BatchWriter<string, StoredTokens | undefined>((ids) => this.read(ids), {
    maxBatch: 1_000,
    concurrency: Infinity,
    linger: 'turn',
    failsTogether: () => true,
  });

  constructor(
    private readonly store: TokensStore,
    private readonly client: ConnectionRefreshClient,
    private readonly ended: EndedGrants,
  ) {}

  /** Renews an expired token first. */
  async fresh(connectionId: string): Promise<Access> {
    const stored = await this.tokens.add(connectionId);
    if (stored?.state === 'active' && stored.accessEnded)
      return this.renewed(connectionId, stored.tokenVersion);
    return accessOf(stored);
  }

  /** After the network refused the token of this version. A second caller gets the token that the first one renewed. */
  async renewed(connectionId: string, refusedVersion: number): Promise<Access> {
    const { result, ...refused } = await this.client.refresh(connectionId, refusedVersion);
    if (result === 'refreshed') return accessOf(await this.tokens.add(connectionId));
    return result === 'reconnect-needed' ? { kind: 'ended', ...refused } : { kind: result };
  }

  /** After the network refused the token of this version although it had just been renewed. */
  async end(connectionId: string, refusedVersion: number): Promise<void> {
    const stored = await this.tokens.add(connectionId);
    if (stored) await this.ended.mark({ ...stored, tokenVersion: refusedVersion });
  }

  private async read(ids: readonly string[]): Promise<(StoredTokens | undefined)[]> {
    const found = await this.store.read([...new Set(ids)]);
    const byId = new Map(found.map((tokens) => [tokens.connectionId, tokens]));
    return ids.map((id) => byId.get(id));
  }
}

function accessOf(stored: StoredTokens | undefined): Access {
  if (stored?.unreadable) return { kind: 'misconfigured' };
  if (stored?.state !== 'active' || stored.accessToken === null) return { kind: 'ended' };
  const { platform, organizationId, accountId, username, facts, accessToken, tokenVersion } = stored;
  const account = { accountId, username, facts };
  return { kind: 'usable', platform, account, organizationId, accessToken, tokenVersion };
}
