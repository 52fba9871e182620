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
  /** The `Authorization` header of the start; null: it had none. */
  readonly authorization: string | null;
}

/** A sign-in that returned. */
export interface ReturnedAuthorization extends AuthorizationInProgress {
  readonly startedAt: Date;
}

type Row = Omit<ReturnedAuthorization, 'codeVerifier' | 'authorization'> & {
  encryptedVerifier: string;
  encryptedAuthorization: string | null;
};

/** Time for a person to sign in. Afterwards a leaked address is useless. */
const LIFETIME = '10 minutes';

/** Sign-ins in progress. Each can be taken once. State and cookie are stored as hashes only. */
@Injectable()
export class AuthorizationRequestsStore {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  async keep(state: string, request: AuthorizationInProgress, cookie: string): Promise<void> {
    const hash = sha256(state);
    const { platform, brandId, organizationId, userId, redirectUri, codeVerifier, authorization } = request;
    const verifier = this.box.encrypt(codeVerifier, placeOf(hash, 'code_verifier'));
    const encrypted = authorization && this.box.encrypt(authorization, placeOf(hash, 'caller_authorization'));
    await this.database.query(
      `INSERT INTO integrations.authorization_request
         (state_hash, platform, brand_id, organization_id, user_id, redirect_uri, code_verifier, cookie_hash,
         caller_authorization, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + interval '${LIFETIME}')`,
      [hash, platform, brandId, organizationId, userId, redirectUri, verifier, sha256(cookie), encrypted],
    );
  }

  /** Takes it. Null: unknown, expired, or another browser's, for which it stays. Found by hashes: response times reveal no state. */
  async take(
    state: string,
    platform: string,
    cookie: string | undefined,
  ): Promise<ReturnedAuthorization | null> {
    const hash = sha256(state);
    // Without the cookie, a person who opens a link of an attacker would connect an own account to the attacker's brand.
    if (cookie === undefined) return null;
    const [row] = await this.database.query<Row>(
      `DELETE FROM integrations.authorization_request
       WHERE state_hash = $1 AND cookie_hash = $2 AND platform = $3 AND expires_at > now()
       RETURNING platform, brand_id AS "brandId", organization_id AS "organizationId", user_id AS "userId",
         redirect_uri AS "redirectUri", code_verifier AS "encryptedVerifier",
         caller_authorization AS "encryptedAuthorization", expires_at - interval '${LIFETIME}' AS "startedAt"`,
      [hash, sha256(cookie), platform],
    );
    if (!row) return null;
    const { encryptedVerifier, encryptedAuthorization, ...request } = row;
    return {
      ...request,
      codeVerifier: this.box.decrypt(encryptedVerifier, placeOf(hash, 'code_verifier')),
      authorization:
        encryptedAuthorization &&
        this.box.decrypt(encryptedAuthorization, placeOf(hash, 'caller_authorization')),
    };
  }

  async deleteExpired(): Promise<void> {
    await this.database.query('DELETE FROM integrations.authorization_request WHERE expires_at <= now()');
  }
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function placeOf(stateHash: Buffer, column: string): string {
  return `integrations.authorization_request/${stateHash.toString('hex')}/${column}`;
}
