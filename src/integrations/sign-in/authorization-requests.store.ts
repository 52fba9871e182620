import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { SecretBox } from '../encryption/secret-box.js';

export interface AuthorizationInProgress {
  readonly platform: string;
  readonly brandId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly redirectUri: string;
  /** RFC 7636. */
  readonly codeVerifier: string;
  /** The `Authorization` header of the start; null in rows of older releases. */
  readonly authorization: string | null;
}

type Row = Omit<AuthorizationInProgress, 'codeVerifier' | 'authorization'> & {
  sealedVerifier: string;
  sealedAuthorization: string | null;
};

/** Long enough to sign in and read what is asked for, short enough that a leaked address is worthless soon. */
const LIFETIME = '10 minutes';

/** Sign-ins that are under way, each to be taken once. State and cookie are stored as hashes only. */
@Injectable()
export class AuthorizationRequestsStore {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  async keep(state: string, request: AuthorizationInProgress, cookie: string): Promise<void> {
    const hash = sha256(state);
    const { platform, brandId, organizationId, userId, redirectUri, codeVerifier, authorization } = request;
    const verifier = this.box.seal(codeVerifier, placeOf(hash, 'code_verifier'));
    const sealed = authorization && this.box.seal(authorization, placeOf(hash, 'caller_authorization'));
    await this.database.query(
      `INSERT INTO integrations.authorization_request
         (state_hash, platform, brand_id, organization_id, user_id, redirect_uri, code_verifier, cookie_hash,
         caller_authorization, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + interval '${LIFETIME}')`,
      [hash, platform, brandId, organizationId, userId, redirectUri, verifier, sha256(cookie), sealed],
    );
  }

  /**
   * Takes it out for good, whatever comes of it. Null when there is none, it is too late, or another browser came back: the
   * one in which it began may still. Found by hashes, so that how long it takes tells nothing.
   */
  async take(
    state: string,
    platform: string,
    cookie: string | undefined,
  ): Promise<AuthorizationInProgress | null> {
    const hash = sha256(state);
    // Without it, whoever was sent the address would give their own account to somebody else's brand.
    if (cookie === undefined) return null;
    const [row] = await this.database.query<Row>(
      `DELETE FROM integrations.authorization_request
       WHERE state_hash = $1 AND cookie_hash = $2 AND platform = $3 AND expires_at > now()
       RETURNING platform, brand_id AS "brandId", organization_id AS "organizationId", user_id AS "userId",
         redirect_uri AS "redirectUri", code_verifier AS "sealedVerifier",
         caller_authorization AS "sealedAuthorization"`,
      [hash, sha256(cookie), platform],
    );
    if (!row) return null;
    const { sealedVerifier, sealedAuthorization, ...request } = row;
    return {
      ...request,
      codeVerifier: this.box.open(sealedVerifier, placeOf(hash, 'code_verifier')),
      authorization:
        sealedAuthorization && this.box.open(sealedAuthorization, placeOf(hash, 'caller_authorization')),
    };
  }

  /** Those that nobody came back from. */
  async forgetExpired(): Promise<void> {
    await this.database.query('DELETE FROM integrations.authorization_request WHERE expires_at <= now()');
  }
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function placeOf(stateHash: Buffer, column: string): string {
  return `integrations.authorization_request/${stateHash.toString('hex')}/${column}`;
}
