import { Injectable } from '@nestjs/common';
import type { Instant, Platform } from '#libs/content';
import { Database, statement } from '#libs/database';
import { SecretIsUnreadable } from '#libs/encryption';
import type { ConnectionState } from '../domain/connection.js';
import { keyOf, outdatedRows, SecretBox } from '../encryption/secret-box.js';
import type { AccountFacts, Grant, Tokens } from '../domain/provider-grants.js';

export interface StoredTokens {
  readonly connectionId: string;
  readonly brandId: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly accountId: string;
  readonly username: string;
  readonly facts: AccountFacts;
  /** See `GrantedAccount`. */
  readonly consentId: string | null;
  readonly state: ConnectionState;
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  readonly accessExpiresAt: Instant | null;
  /** Whether the access token has expired by the database's clock. */
  readonly accessEnded: boolean;
  /** Rises with every change of the tokens. */
  readonly tokenVersion: number;
  /** The configured keys do not decrypt them; both tokens are null then. */
  readonly unreadable: boolean;
}

type EncryptedTokens = Pick<StoredTokens, 'connectionId' | 'accessToken' | 'refreshToken'>;

interface OutdatedTokens extends EncryptedTokens {
  readonly id: string;
  readonly keys: string;
}

interface Row extends Omit<StoredTokens, 'accessExpiresAt' | 'unreadable'> {
  accessExpiresAt: Date | null;
}

const COLUMNS = `id AS "connectionId", brand_id AS "brandId", platform,
  (SELECT organization_id FROM brands.brand_owner b WHERE b.id = brand_id) AS "organizationId", account_id AS "accountId", username, facts,
  consent_id AS "consentId", state,
  access_token AS "accessToken", refresh_token AS "refreshToken", access_expires_at AS "accessExpiresAt",
  coalesce(access_expires_at <= now() + interval '30 seconds', false) AS "accessEnded", token_version AS "tokenVersion"`;

const READ = statement(
  'integrations_read_tokens',
  `SELECT ${COLUMNS} FROM integrations.connection WHERE id = ANY ($1::uuid[])`,
);
const HOLD = statement(
  'integrations_hold_tokens',
  `SELECT ${COLUMNS} FROM integrations.connection WHERE id = $1 FOR UPDATE`,
);
const REPLACE = statement(
  'integrations_replace_tokens',
  `UPDATE integrations.connection
   SET access_token = $2, refresh_token = coalesce($3, refresh_token), access_expires_at = $4,
       refresh_expires_at = CASE WHEN $3 IS NULL THEN coalesce($6, refresh_expires_at) ELSE $6 END,
       token_version = token_version + 1, updated_at = now()
   WHERE id = $1 AND token_version = $5 RETURNING id`,
);
/** Names the keys of both tokens: after a renewal the refresh token can be of a former key. */
const KEYS = `(${keyOf('access_token')} || ' ' || ${keyOf('coalesce(refresh_token, access_token)')})`;
const TO_REENCRYPT = statement(
  'integrations_tokens_to_reencrypt',
  `SELECT id, ${KEYS} AS keys, id AS "connectionId", access_token AS "accessToken", refresh_token AS "refreshToken"
   FROM integrations.connection
   WHERE access_token IS NOT NULL AND (${KEYS}, id) > ($1, $2::uuid) AND ${KEYS} < $3
   ORDER BY ${KEYS}, id LIMIT $4`,
);
const REENCRYPT = statement(
  'integrations_reencrypt_tokens',
  `UPDATE integrations.connection SET access_token = $4, refresh_token = $5
   WHERE id = $1 AND access_token = $2 AND refresh_token IS NOT DISTINCT FROM $3 RETURNING id`,
);

/** Encrypted tokens, each bound to its row and column. */
@Injectable()
export class TokensStore {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  async read(connectionIds: readonly string[]): Promise<StoredTokens[]> {
    return (await this.database.query<Row>(READ, [connectionIds])).map((row) => this.stored(row));
  }

  /** Locks the row until the transaction ends. Append events before: an append is the transaction's first write. */
  async hold(connectionId: string): Promise<StoredTokens | undefined> {
    const [row] = await this.database.query<Row>(HOLD, [connectionId]);
    return row && this.stored(row);
  }

  /** A missing refresh token keeps the old one. @returns false when another version is stored, or none: nothing changes */
  async replace(connectionId: string, version: number, grant: GrantedTokens): Promise<boolean> {
    const { access, refresh } = this.encrypted(connectionId, grant);
    const { expiresAt, refreshExpiresAt = null } = grant;
    const values = [connectionId, access, refresh, expiresAt, version, refreshExpiresAt];
    return (await this.database.query(REPLACE, values)).length > 0;
  }

  /** Encrypts tokens of other keys with the newest key, batch by batch. The tokens and their version do not change. */
  async *reencrypt(limit: number): AsyncGenerator<ReencryptedBatch> {
    const { newestKey } = this.box;
    const both = `${newestKey} ${newestKey}`;
    for await (const rows of outdatedRows<OutdatedTokens>(this.database, TO_REENCRYPT, both, limit)) {
      let [reencrypted, unreadable] = [0, 0];
      // One by one: transactions that lock several connections lock them in another order.
      for (const row of rows) {
        const { accessToken, refreshToken } = this.decrypted(row);
        if (accessToken === null) unreadable += 1;
        else if (await this.exchange(row, { accessToken, refreshToken })) reencrypted += 1;
      }
      yield { reencrypted, unreadable };
    }
  }

  encrypted(connectionId: string, grant: Tokens): { access: string; refresh: string | null } {
    return {
      access: this.box.encrypt(grant.accessToken, placeOf(connectionId, 'access_token')),
      refresh:
        grant.refreshToken && this.box.encrypt(grant.refreshToken, placeOf(connectionId, 'refresh_token')),
    };
  }

  /** @returns false when other tokens are stored, or none */
  private async exchange(encrypted: EncryptedTokens, tokens: Tokens): Promise<boolean> {
    const { connectionId, accessToken, refreshToken } = encrypted;
    const { access, refresh } = this.encrypted(connectionId, tokens);
    const values = [connectionId, accessToken, refreshToken, access, refresh];
    return (await this.database.query(REENCRYPT, values)).length > 0;
  }

  private stored(row: Row): StoredTokens {
    return { ...row, accessExpiresAt: row.accessExpiresAt?.toISOString() ?? null, ...this.decrypted(row) };
  }

  private decrypted({ connectionId, accessToken, refreshToken }: EncryptedTokens) {
    try {
      return {
        accessToken: accessToken && this.box.decrypt(accessToken, placeOf(connectionId, 'access_token')),
        refreshToken: refreshToken && this.box.decrypt(refreshToken, placeOf(connectionId, 'refresh_token')),
        unreadable: false,
      };
    } catch (error) {
      if (!(error instanceof SecretIsUnreadable)) throw error;
      return { accessToken: null, refreshToken: null, unreadable: true };
    }
  }
}

export type GrantedTokens = Omit<Grant, 'scopes'>;

export interface ReencryptedBatch {
  readonly reencrypted: number;
  /** No configured key decrypts their tokens. */
  readonly unreadable: number;
}

function placeOf(connectionId: string, column: string): string {
  return `integrations.connection/${connectionId}/${column}`;
}
