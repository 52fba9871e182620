import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, isUniqueViolation, type Transaction } from '#libs/database';
import type { ReturnedAuthorization } from './authorization-requests.store.js';
import { ConnectionAccess } from '../connections/connection-access.js';
import { ConnectionLog } from '../connections/connection-log.js';
import { AuthorizationStateIsInvalid } from '../domain/integration.errors.js';
import type { FormerGrant, GrantedAccount, Targets } from '../domain/provider-grants.js';
import { type StoredTokens, TokensStore } from '../tokens/tokens.store.js';

const CONNECTED = ['tokens', 'profile', 'state'] as const;

const SAVE = `
  INSERT INTO integrations.connection
    (id, brand_id, user_id, platform, account_id, username, display_name, avatar_url, scopes, pages, groups, state,
     access_token, refresh_token, access_expires_at, consent_id, facts, refresh_expires_at, signed_in_at,
     facts_due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active', $12, $13, $14, $15, $16, $17, $18, now() + interval '1 day')
  ON CONFLICT (id) DO UPDATE SET
    username = excluded.username, display_name = excluded.display_name, avatar_url = excluded.avatar_url,
    scopes = excluded.scopes, pages = excluded.pages, groups = excluded.groups, state = 'active',
    access_token = excluded.access_token, refresh_token = excluded.refresh_token,
    access_expires_at = excluded.access_expires_at, consent_id = excluded.consent_id, facts = excluded.facts,
    refresh_expires_at = excluded.refresh_expires_at, signed_in_at = excluded.signed_in_at, facts_due_at = excluded.facts_due_at, held_until = NULL, hold_reason = NULL,
    token_version = integrations.connection.token_version + 1, updated_at = now()`;

export interface AccountToConnect extends GrantedAccount {
  readonly targets: Targets;
}

export interface StoredAccount {
  readonly connectionId: string;
  readonly account: AccountToConnect;
  /** The grant that was replaced; null: there was none. */
  readonly former: FormerGrant | null;
}

interface Identified {
  readonly connectionId: string;
  readonly isKnown: boolean;
  readonly account: AccountToConnect;
}

const formerGrantOf = (stored: StoredTokens | undefined): FormerGrant | null =>
  stored?.accessToken
    ? { consentId: stored.consentId, accessToken: stored.accessToken, refreshToken: stored.refreshToken }
    : null;

/** Stores the accounts of a completed sign-in. The same member, account and brand keep their connection's id. */
@Injectable()
export class ConnectedAccounts {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokensStore,
    private readonly log: ConnectionLog,
    private readonly brands: ConnectionAccess,
  ) {}

  /** All or none. @throws AuthorizationStateIsInvalid when the brand has moved to another organization since the start */
  async connect(
    request: ReturnedAuthorization,
    accounts: readonly AccountToConnect[],
  ): Promise<StoredAccount[]> {
    // In one order, so that two sign-ins that share accounts cannot deadlock.
    const sorted = accounts.toSorted((a, b) => (a.profile.accountId < b.profile.accountId ? -1 : 1));
    const once = () => this.database.transaction((transaction) => this.write(transaction, request, sorted));
    try {
      return await once();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return once();
    }
  }

  /** Every append comes before the first row. */
  private async write(
    transaction: Transaction,
    request: ReturnedAuthorization,
    accounts: readonly AccountToConnect[],
  ): Promise<StoredAccount[]> {
    const identified = await this.identified(transaction, request, accounts);
    for (const each of identified) await this.append(transaction, request, each);
    const { organizationId, brandId } = request;
    if (!(await this.brands.isStillOf(organizationId, brandId))) throw new AuthorizationStateIsInvalid();
    const stored: StoredAccount[] = [];
    for (const { connectionId, account } of identified) {
      const former = formerGrantOf(await this.tokens.hold(connectionId));
      await transaction.query(SAVE, this.values(connectionId, request, account));
      stored.push({ connectionId, account, former });
    }
    return stored;
  }

  private async identified(
    transaction: Transaction,
    { brandId, userId, platform }: ReturnedAuthorization,
    accounts: readonly AccountToConnect[],
  ): Promise<Identified[]> {
    const rows = await transaction.query<{ id: string; accountId: string }>(
      `SELECT id, account_id AS "accountId" FROM integrations.connection
       WHERE brand_id = $1 AND platform = $2 AND user_id = $3 AND account_id = ANY ($4)`,
      [brandId, platform, userId, accounts.map(({ profile }) => profile.accountId)],
    );
    const known = new Map(rows.map(({ id, accountId }) => [accountId, id]));
    return accounts.map((account) => {
      const id = known.get(account.profile.accountId);
      return { connectionId: id ?? randomUUIDv7(), isKnown: id !== undefined, account };
    });
  }

  private append(
    transaction: Transaction,
    { brandId, organizationId, platform, userId }: ReturnedAuthorization,
    { connectionId, isKnown }: Identified,
  ): Promise<void> {
    return this.log.append(transaction, {
      type: isKnown ? 'AccountReconnected' : 'AccountConnected',
      connectionId,
      brandId,
      organizationId,
      platform,
      changed: CONNECTED,
      actor: { type: 'user', id: userId },
      channel: 'network',
    });
  }

  /** In the order of SAVE. */
  private values(
    connectionId: string,
    { brandId, userId, platform, startedAt }: ReturnedAuthorization,
    { profile, grant, targets, consentId }: AccountToConnect,
  ): unknown[] {
    const { access, refresh } = this.tokens.encrypted(connectionId, grant);
    return [
      connectionId,
      brandId,
      userId,
      platform,
      profile.accountId,
      profile.username,
      profile.displayName,
      profile.avatarUrl,
      grant.scopes,
      JSON.stringify(targets.pages),
      JSON.stringify(targets.groups),
      access,
      refresh,
      grant.expiresAt,
      consentId,
      JSON.stringify(profile.facts),
      grant.refreshExpiresAt ?? null,
      startedAt,
    ];
  }
}
