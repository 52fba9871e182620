import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { SecretBox } from '../encryption/secret-box.js';
import { sha256 } from './authorization-requests.store.js';

export interface ConnectStartRequest {
  readonly platform: string;
  readonly brandId: string;
  /** The `Authorization` header of the caller who asked for it. */
  readonly authorization: string;
}

export interface ConnectStartToken {
  readonly platform: string;
  readonly startToken: string;
}

interface Row {
  readonly brandId: string;
  readonly encrypted: string;
}

/** Time to open a page and to read it. Afterwards an address in a browser's history is useless. */
const LIFETIME = '5 minutes';
const IS_VALID = 'token_hash = $1 AND platform = $2 AND expires_at > now()';
const COLUMNS = 'brand_id AS "brandId", caller_authorization AS encrypted';

/** One-time tokens with which a browser starts a connect without a bearer token. Stored as hashes only. */
@Injectable()
export class ConnectStartsStore {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  async keep(token: string, { platform, brandId, authorization }: ConnectStartRequest): Promise<void> {
    const hash = sha256(token);
    await this.database.query(
      `INSERT INTO integrations.connect_start (token_hash, platform, brand_id, caller_authorization, expires_at)
       VALUES ($1, $2, $3, $4, now() + interval '${LIFETIME}')`,
      [hash, platform, brandId, this.box.encrypt(authorization, placeOf(hash))],
    );
  }

  /** null: there is no such token for this network, or it has expired. */
  find(token: ConnectStartToken): Promise<ConnectStartRequest | null> {
    return this.read(`SELECT ${COLUMNS} FROM integrations.connect_start WHERE ${IS_VALID}`, token);
  }

  take(token: ConnectStartToken): Promise<ConnectStartRequest | null> {
    return this.read(`DELETE FROM integrations.connect_start WHERE ${IS_VALID} RETURNING ${COLUMNS}`, token);
  }

  private async read(
    sql: string,
    { platform, startToken }: ConnectStartToken,
  ): Promise<ConnectStartRequest | null> {
    const hash = sha256(startToken);
    const [row] = await this.database.query<Row>(sql, [hash, platform]);
    return row
      ? { platform, brandId: row.brandId, authorization: this.box.decrypt(row.encrypted, placeOf(hash)) }
      : null;
  }

  async deleteExpired(): Promise<void> {
    await this.database.query('DELETE FROM integrations.connect_start WHERE expires_at <= now()');
  }
}

function placeOf(tokenHash: Buffer): string {
  return `integrations.connect_start/${tokenHash.toString('hex')}/caller_authorization`;
}
