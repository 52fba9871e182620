import { Injectable } from '@nestjs/common';
import type { Instant, Platform } from '#libs/content';
import { Database, statement } from '#libs/database';
import type { ConnectionState } from '../domain/connection.js';
import { SecretBox, SecretIsUnreadable } from '../encryption/secret-box.js';
import type { Grant, Tokens } from '../domain/provider-grants.js';

export interface StoredTokens {
  readonly connectionId: string;
  readonly brandId: string;
  readonly platform: Platform;
  readonly accountId: string;
  readonly username: string;
  /** See `GrantedAccount`; null in rows of older releases. */
  readonly consentId: string | null;
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

type SealedTokens = Pick<StoredTokens, 'connectionId' | 'accessToken' | 'refreshToken'>;

interface Row extends Omit<StoredTokens, 'accessExpiresAt' | 'unreadable'> {
  accessExpiresAt: Date | null;
}

const COLUMNS = `id AS "connectionId", brand_id AS "brandId", platform, account_id AS "accountId", username,
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
       token_version = token_version + 1, updated_at = now()
   WHERE id = $1 AND token_version = $5 RETURNING id`,
);
const STALE = statement(
  'integrations_stale_seals',
  `SELECT id AS "connectionId", access_token AS "accessToken", refresh_token AS "refreshToken"
   FROM integrations.connection
   WHERE ($1::uuid IS NULL OR id > $1)
     AND NOT (starts_with(access_token, $2) AND coalesce(starts_with(refresh_token, $2), true))
   ORDER BY id LIMIT $3`,
);
const RESEAL = statement(
  'integrations_reseal_tokens',
  `UPDATE integrations.connection SET access_token = $4, refresh_token = $5
   WHERE id = $1 AND access_token = $2 AND refresh_token IS NOT DISTINCT FROM $3 RETURNING id`,
);

/** Tokens at rest: sealed, each bound to its row and column. */
@Injectable()
export class TokensStore {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  async read(connectionIds: readonly string[]): Promise<StoredTokens[]> {
    return (await this.database.query<Row>(READ, [connectionIds])).map((row) => this.stored(row));
  }

  /** They change no more until the running transaction ends. It locks the row, so an append of that transaction comes first. */
  async hold(connectionId: string): Promise<StoredTokens | undefined> {
    const [row] = await this.database.query<Row>(HOLD, [connectionId]);
    return row && this.stored(row);
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

  /**
   * Seals anew what was sealed with another key than the newest one; the tokens and their version stay what they are.
   * @param after id of the last connection of the batch before
   */
  async reseal(after: string | null, limit: number): Promise<Resealed> {
    const stale = await this.database.query<SealedTokens>(STALE, [after, this.box.mark, limit]);
    let [sealedAnew, unreadable] = [0, 0];
    // One by one: whoever else changes several connections at once takes them in another order.
    for (const row of stale) {
      const { accessToken, refreshToken } = this.opened(row);
      if (accessToken === null) unreadable += 1;
      else if (await this.exchange(row, { accessToken, refreshToken })) sealedAnew += 1;
    }
    const last = stale.length < limit ? null : (stale.at(-1)?.connectionId ?? null);
    return { sealedAnew, unreadable, last };
  }

  sealed(connectionId: string, grant: Tokens): { access: string; refresh: string | null } {
    return {
      access: this.box.seal(grant.accessToken, placeOf(connectionId, 'access_token')),
      refresh:
        grant.refreshToken && this.box.seal(grant.refreshToken, placeOf(connectionId, 'refresh_token')),
    };
  }

  /** @returns false when others are stored by now, or none. */
  private async exchange(sealed: SealedTokens, tokens: Tokens): Promise<boolean> {
    const { connectionId, accessToken, refreshToken } = sealed;
    const { access, refresh } = this.sealed(connectionId, tokens);
    const values = [connectionId, accessToken, refreshToken, access, refresh];
    return (await this.database.query(RESEAL, values)).length > 0;
  }

  private stored(row: Row): StoredTokens {
    return { ...row, accessExpiresAt: row.accessExpiresAt?.toISOString() ?? null, ...this.opened(row) };
  }

  private opened({ connectionId, accessToken, refreshToken }: SealedTokens) {
    try {
      return {
        accessToken: accessToken && this.box.open(accessToken, placeOf(connectionId, 'access_token')),
        refreshToken: refreshToken && this.box.open(refreshToken, placeOf(connectionId, 'refresh_token')),
        unreadable: false,
      };
    } catch (error) {
      if (!(error instanceof SecretIsUnreadable)) throw error;
      return { accessToken: null, refreshToken: null, unreadable: true };
    }
  }
}

export type GrantedTokens = Omit<Grant, 'scopes'>;

/** What became of a batch. */
export interface Resealed {
  readonly sealedAnew: number;
  /** Which none of the configured keys opens. */
  readonly unreadable: number;
  /** Where the next batch begins; null when there is none. */
  readonly last: string | null;
}

function placeOf(connectionId: string, column: string): string {
  return `integrations.connection/${connectionId}/${column}`;
}
