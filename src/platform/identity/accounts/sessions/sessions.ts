import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '#libs/database';
import type { Actor } from '../../access/actor.js';
import { AuditLog } from '../../audit/audit-log.js';
import { RefreshTokenIsNotValid, SessionNotFound, SignInIsNotValid } from '../../identity.errors.js';
import { IdentityConfig } from '../../identity.config.js';
import { SecretHasher } from '../../credentials/secret-hasher.js';
import { ACCESS_TOKEN, REFRESH_TOKEN } from '../../credentials/secrets.js';
import type { SessionDto } from './sessions.dto.js';
import { decryptResponse, encryptResponse, type TokenPair } from './refresh-response.js';
import {
  END_EXCESS,
  END_REUSED,
  FIND_RESPONSE,
  FIND_EXPIRIES,
  LIST,
  OPEN,
  REFRESH,
  REVOKE_BY_REFRESH_TOKEN,
  REVOKE_BY_TOKEN,
  REVOKE_ONE,
  REVOKE_OTHERS,
} from './sessions.sql.js';

/** Both secrets are shown once and stored as hashes only. */
export interface Tokens {
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
}

interface Verified {
  readonly id: string;
  readonly password_hash: string;
}

interface Expiries {
  readonly access_expires_at: Date;
  readonly refresh_expires_at: Date;
}

/** A session is one sign-in and its token family. Ending it revokes the whole family at once. */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly hasher: SecretHasher,
    private readonly config: IdentityConfig,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Above the maximum, the least recently used session ends.
   * @param verified the account with the hash that verified its password.
   * @throws SignInIsNotValid when the password has changed since, or the account is disabled.
   */
  async open(executor: Executor, verified: Verified, { address, userAgent }: Actor): Promise<Tokens> {
    const pair = this.newPair();
    const [expiries] = await executor.query<Expiries>(OPEN, [
      randomUUIDv7(),
      verified.id,
      verified.password_hash,
      address,
      userAgent,
      this.config.sessionDays,
      ...pair.values,
    ]);
    if (!expiries) throw new SignInIsNotValid();
    await executor.query(END_EXCESS, [verified.id]);
    return tokensOf(pair, expiries);
  }

  /**
   * Exchanges a refresh token for a new pair. A token works once. Reuse means that two parties have it, so the whole family
   * is revoked and both must sign in. Exception: the same client (network and user agent) that repeats the refresh within
   * 30 s and has not used the new tokens gets the same response again.
   */
  async refresh(refreshToken: string, actor: Actor): Promise<Tokens> {
    const candidates = this.hasher.candidates(refreshToken);
    const pair = this.newPair();
    const client = clientOf(actor);
    const response = encryptResponse(refreshToken, pair);
    const values = [candidates, ...pair.values, response, this.hasher.hash(client).hash];
    const [expiries] = await this.database.query<Expiries>(REFRESH, values);
    if (expiries) return tokensOf(pair, expiries);
    const repeated = await this.findRepeated(refreshToken, candidates, client);
    if (repeated) return repeated;
    await this.endIfReused(candidates, actor);
    throw new RefreshTokenIsNotValid();
  }

  /** The response of the same refresh by the same client within the grace period, unless its tokens were used. */
  private async findRepeated(
    refreshToken: string,
    candidates: readonly Buffer[],
    client: string,
  ): Promise<Tokens | undefined> {
    const values = [candidates, this.hasher.candidates(client)];
    const [found] = await this.database.query<{ answer: Buffer; id: string }>(FIND_RESPONSE, values);
    if (!found) return undefined;
    const pair = decryptResponse(refreshToken, found.answer);
    const [expiries] = await this.database.query<Expiries>(FIND_EXPIRIES, [
      this.hasher.candidates(pair.accessToken),
      this.hasher.candidates(pair.refreshToken),
      found.id,
    ]);
    return expiries && tokensOf(pair, expiries);
  }

  /** Ends the session of this access token. */
  end(accessToken: string, actor: Actor): Promise<void> {
    return this.endBy(REVOKE_BY_TOKEN, accessToken, actor);
  }

  /** Ends the session of this refresh token, also of a used one. An unknown token has no effect. */
  endByRefreshToken(refreshToken: string, actor: Actor): Promise<void> {
    return this.endBy(REVOKE_BY_REFRESH_TOKEN, refreshToken, actor);
  }

  private async endBy(revoke: Statement, token: string, actor: Actor): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const candidates = this.hasher.candidates(token);
      const [session] = await transaction.query<{ id: string; user_id: string }>(revoke, [candidates]);
      if (!session) return;
      await this.recordRevoked(transaction, session.id, { ...actor, type: 'user', id: session.user_id });
    });
  }

  /** @throws SessionNotFound also for a session of another user. */
  async endOne(userId: string, sessionId: string, actor: Actor): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [session] = await transaction.query<{ id: string }>(REVOKE_ONE, [sessionId, userId]);
      if (!session) throw new SessionNotFound();
      await this.recordRevoked(transaction, sessionId, actor);
    });
  }

  /** Ends all sessions of the user except the one of this access token. */
  async endOthers(executor: Executor, userId: string, accessToken: string): Promise<void> {
    await executor.query(REVOKE_OTHERS, [userId, this.hasher.candidates(accessToken)]);
  }

  /** Active sessions, newest first. */
  list(userId: string, accessToken: string): Promise<SessionDto[]> {
    return this.database.query<SessionDto>(LIST, [userId, this.hasher.candidates(accessToken)]);
  }

  private async endIfReused(candidates: readonly Buffer[], actor: Actor): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [session] = await transaction.query<{ id: string; user_id: string }>(END_REUSED, [candidates]);
      if (!session) return;
      await this.audit.record(transaction, {
        action: 'authn_token_reuse',
        result: 'failure',
        organizationId: null,
        actor,
        subjectId: session.user_id,
        target: { type: 'session', id: session.id },
      });
    });
  }

  private recordRevoked(executor: Executor, id: string, actor: Actor): Promise<void> {
    const target = { type: 'session', id };
    return this.audit.record(executor, {
      action: 'authn_token_revoked',
      actor,
      subjectId: actor.id,
      organizationId: null,
      target,
    });
  }

  private newPair() {
    const accessToken = this.hasher.newSecret(ACCESS_TOKEN);
    const refreshToken = this.hasher.newSecret(REFRESH_TOKEN);
    const access = this.hasher.hash(accessToken);
    const refresh = this.hasher.hash(refreshToken);
    const { accessTokenMinutes, refreshTokenDays } = this.config;
    return {
      accessToken,
      refreshToken,
      values: [access.hash, refresh.hash, access.version, accessTokenMinutes, refreshTokenDays],
    };
  }
}

/** Identifies a client at a refresh: a stolen token from another network or program revokes the family. */
function clientOf({ network, userAgent }: Actor): string {
  return `client ${JSON.stringify([network, userAgent])}`;
}

function tokensOf({ accessToken, refreshToken }: TokenPair, expiries: Expiries): Tokens {
  const { access_expires_at: accessExpiresAt, refresh_expires_at: refreshExpiresAt } = expiries;
  return { accessToken, accessExpiresAt, refreshToken, refreshExpiresAt };
}
