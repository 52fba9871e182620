import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { ConnectionState } from '../connection.js';
import type { Instant } from '../delivery.js';
import { SecretBox, SecretIsUnreadable } from '../encryption/secret-box.js';
import type { Platform } from '../platforms.js';

export interface StoredTokens {
  readonly connectionId: string;
  readonly brandId: string;
  readonly platform: Platform;
  readonly accountId: string;
  readonly username: string;
  readonly state: ConnectionState;
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  readonly accessExpiresAt: Instant | null;
  /** True once the access token has ended by the database's clock. */
  readonly accessEnded: boolean;
  /** Rises with every change of the tokens. */
  readonly tokenVersion: number;
  /** The configured keys do not open them; both tokens are null then. */
  readonly unreadable: boolean;
}

interface Row extends Omit<StoredTokens, 'accessExpiresAt' | 'unreadable'> {
  accessExpiresAt: Date | null;
}

const COLUMNS = `id AS "connectionId", brand_id AS "brandId", platform, account_id AS "accountId", username, state,
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
       token_version = token_version + 1, updated_at = now()
   WHERE id = $1 AND token_version = $5 RETURNING id`,
);

/** Tokens at rest: sealed, each bound to its row and column. */
@Injectable()
export class TokensStore {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  async read(connectionIds: readonly string[]): Promise<StoredTokens[]> {
    return (await this.database.query<Row>(READ, [connectionIds])).map((row) => this.opened(row));
  }

  /** They change no more until the running transaction ends. It locks the row, so an append of that transaction comes first. */
  async hold(connectionId: string): Promise<StoredTokens | undefined> {
    const [row] = await this.database.query<Row>(HOLD, [connectionId]);
    return row && this.opened(row);
  }

  /**
   * Replaces the tokens of that version; a missing refresh token keeps the old one.
   * @returns false when others are stored by now, or none: then nothing changes.
   */
  async replace(connectionId: string, version: number, grant: GrantedTokens): Promise<boolean> {
    const { access, refresh } = this.sealed(connectionId, grant);
    const values = [connectionId, access, refresh, grant.expiresAt, version];
    return (await this.database.query(REPLACE, values)).length > 0;
  }

  sealed(connectionId: string, grant: GrantedTokens): { access: string; refresh: string | null } {
    return {
      access: this.box.seal(grant.accessToken, placeOf(connectionId, 'access_token')),
      refresh:
        grant.refreshToken && this.box.seal(grant.refreshToken, placeOf(connectionId, 'refresh_token')),
    };
  }

  private opened(row: Row): StoredTokens {
    const known = { ...row, accessExpiresAt: row.accessExpiresAt?.toISOString() ?? null };
    try {
      return { ...known, ...this.openedTokens(row), unreadable: false };
    } catch (error) {
      if (!(error instanceof SecretIsUnreadable)) throw error;
      return { ...known, accessToken: null, refreshToken: null, unreadable: true };
    }
  }

  private openedTokens({ connectionId, accessToken, refreshToken }: Row) {
    return {
      accessToken: accessToken && this.box.open(accessToken, placeOf(connectionId, 'access_token')),
      refreshToken: refreshToken && this.box.open(refreshToken, placeOf(connectionId, 'refresh_token')),
    };
  }
}

export interface GrantedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: Instant | null;
}

function placeOf(connectionId: string, column: string): string {
  return `integrations.connection/${connectionId}/${column}`;
}
