import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetBrand } from '../../brands/index.js';
import { Database, statement } from '#libs/database';
import type { Transaction } from '#libs/database';
import { ConnectionLog } from '../connections/connection-log.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import type { RefreshResult } from '../token-refresh.js';
import { TokensStore } from './tokens.store.js';
import type { StoredTokens } from './tokens.store.js';

/** Taken without a transaction id, so that waiting for a network holds no reader of the event log back. */
const ONE_AT_A_TIME = statement(
  'integrations_refresh_lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('integrations.refresh/' || $1, 0))`,
);
const NEEDS_RECONNECT = statement(
  'integrations_needs_reconnect',
  `UPDATE integrations.connection
   SET state = 'reconnect-needed', token_version = token_version + 1, updated_at = now() WHERE id = $1`,
);

/**
 * Renews tokens at the network. Refresh tokens are used once: one renewal of a connection at a time over all replicas,
 * and what the network answers is stored in the transaction that holds the lock.
 */
@Injectable()
export class ConnectionRefresher {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokensStore,
    private readonly providers: ProviderRegistry,
    private readonly log: ConnectionLog,
    private readonly queries: QueryBus,
  ) {}

  /** @param refusedVersion the tokens that no longer work; newer ones that are stored by now count as renewed. */
  async refresh(connectionId: string, refusedVersion?: number): Promise<RefreshResult> {
    return this.database.separateTransaction(async (transaction) => {
      await transaction.query(ONE_AT_A_TIME, [connectionId]);
      const [stored] = await this.tokens.read([connectionId]);
      if (stored?.unreadable) return 'misconfigured';
      if (stored?.state !== 'active') return 'reconnect-needed';
      if (refusedVersion !== undefined && stored.tokenVersion !== refusedVersion) return 'refreshed';
      return this.ask(transaction, stored);
    });
  }

  private async ask(transaction: Transaction, stored: StoredTokens): Promise<RefreshResult> {
    const { connectionId, platform, refreshToken } = stored;
    if (!refreshToken) return this.markDead(transaction, stored);
    const answer = await this.providers.publishing(platform).refresh(refreshToken);
    switch (answer.kind) {
      case 'granted':
        await this.tokens.save(transaction, connectionId, answer.grant);
        return 'refreshed';
      case 'dead':
        return this.markDead(transaction, stored);
      case 'misconfigured':
      case 'unavailable':
        return answer.kind;
    }
  }

  private async markDead(transaction: Transaction, stored: StoredTokens): Promise<RefreshResult> {
    const { connectionId, brandId, platform } = stored;
    const brand = await this.queries.execute(new GetBrand({ brandId })).catch(() => null);
    await this.log.append(transaction, {
      type: 'ReconnectNeeded',
      connectionId,
      brandId,
      organizationId: brand?.organizationId ?? null,
      platform,
      changed: ['state'],
      actor: { type: 'system', id: 'token-refresh' },
      channel: 'network',
    });
    await transaction.query(NEEDS_RECONNECT, [connectionId]);
    return 'reconnect-needed';
  }
}
