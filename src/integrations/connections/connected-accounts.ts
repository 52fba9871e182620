import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Transaction } from '#libs/database';
import type { AuthorizationInProgress } from './authorization-requests.store.js';
import { BrandAccess } from './brand-access.js';
import { ConnectionLog } from './connection-log.js';
import { AuthorizationStateIsInvalid } from '../integration.errors.js';
import type { AccountProfile, Grant } from '../provider.js';
import { TokensStore } from '../tokens/tokens.store.js';
import type { StoredTokens } from '../tokens/tokens.store.js';

const UNIQUE_VIOLATION = '23505';
const CONNECTED = ['tokens', 'profile', 'state'] as const;

const SAVE = `
  INSERT INTO integrations.connection
    (id, brand_id, user_id, platform, account_id, username, display_name, avatar_url, scopes, pages, groups, state,
     access_token, refresh_token, access_expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active', $12, $13, $14)
  ON CONFLICT (id) DO UPDATE SET
    username = excluded.username, display_name = excluded.display_name, avatar_url = excluded.avatar_url,
    scopes = excluded.scopes, pages = excluded.pages, groups = excluded.groups, state = 'active',
    access_token = excluded.access_token, refresh_token = excluded.refresh_token,
    access_expires_at = excluded.access_expires_at, held_until = NULL, hold_reason = NULL,
    token_version = integrations.connection.token_version + 1, updated_at = now()`;

type Tokens = Pick<Grant, 'accessToken' | 'refreshToken'>;

export interface StoredAccount {
  readonly connectionId: string;
  /** What the connection had before and nothing here keeps any more. */
  readonly replaced: Tokens | null;
}

const tokensIn = ({ accessToken, refreshToken }: StoredTokens): Tokens => ({
  accessToken: accessToken ?? '',
  refreshToken,
});

/** Writes what a completed sign-in granted. The same member, account and brand keep their connection's id. */
@Injectable()
export class ConnectedAccounts {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokensStore,
    private readonly log: ConnectionLog,
    private readonly brands: BrandAccess,
  ) {}

  /**
   * A brand that moved to another organization meanwhile gets no account from somebody of the former one.
   * @throws AuthorizationStateIsInvalid
   */
  async connect(
    request: AuthorizationInProgress,
    profile: AccountProfile,
    grant: Grant,
  ): Promise<StoredAccount> {
    const once = () =>
      this.database.transaction((transaction) => this.write(transaction, request, profile, grant));
    try {
      return await once();
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
      return once();
    }
  }

  private async write(
    transaction: Transaction,
    request: AuthorizationInProgress,
    profile: AccountProfile,
    grant: Grant,
  ): Promise<StoredAccount> {
    const { brandId, userId, platform, organizationId } = request;
    const [known] = await transaction.query<{ id: string }>(
      `SELECT id FROM integrations.connection WHERE brand_id = $1 AND platform = $2 AND account_id = $3 AND user_id = $4`,
      [brandId, platform, profile.accountId, userId],
    );
    const connectionId = known?.id ?? randomUUIDv7();
    const type = known ? 'AccountReconnected' : 'AccountConnected';
    const actor = { type: 'user', id: userId } as const;
    const change = {
      type,
      connectionId,
      brandId,
      organizationId,
      platform,
      changed: CONNECTED,
      actor,
    } as const;
    await this.log.append(transaction, { ...change, channel: 'network' });
    if (!(await this.brands.isStillOf(organizationId, brandId))) throw new AuthorizationStateIsInvalid();
    const replaced = await this.tokens.hold(connectionId);
    await transaction.query(SAVE, this.values(connectionId, request, profile, grant));
    return { connectionId, replaced: replaced?.accessToken ? tokensIn(replaced) : null };
  }

  /** In the order of SAVE. */
  private values(
    connectionId: string,
    { brandId, userId, platform }: AuthorizationInProgress,
    profile: AccountProfile,
    grant: Grant,
  ): unknown[] {
    const { access, refresh } = this.tokens.sealed(connectionId, grant);
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
      JSON.stringify(profile.pages),
      JSON.stringify(profile.groups),
      access,
      refresh,
      grant.expiresAt,
    ];
  }
}
