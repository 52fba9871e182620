import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { Database } from '#libs/database';
import type { Actor } from '../audit/actor.js';
import { AuditLog } from '../audit/audit-log.js';
import { RefreshTokenIsNotValid, SessionNotFound, SignInIsNotValid } from '../identity.errors.js';
import { IdentityConfig } from '../identity.config.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { ACCESS_TOKEN, REFRESH_TOKEN } from '../secrets/secrets.js';
import {
  END_EXCESS,
  END_REUSED,
  LIST,
  OPEN,
  REFRESH,
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

export interface SessionRow {
  readonly id: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date;
  readonly expires_at: Date;
  readonly current: boolean;
}

interface Verified {
  readonly id: string;
  readonly password_hash: string;
}

interface Expiries {
  readonly access_expires_at: Date;
  readonly refresh_expires_at: Date;
}

/** A sign-in and the family of tokens that descends from it. It ends as a whole, at once. */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly hasher: SecretHasher,
    private readonly config: IdentityConfig,
    private readonly audit: AuditLog,
  ) {}

  /**
   * With one more than a user may have, the one that was not used for longest ends.
   * @param verified the account with the hash that its password was found right by.
   * @throws SignInIsNotValid when its password has changed since, or it was disabled.
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
    return pair.shown(expiries);
  }

  /**
   * Trades a refresh token for a new pair. A token works once: showing it again means that two parties hold it, so the
   * whole family ends and both must sign in.
   * @throws RefreshTokenIsNotValid
   */
  async refresh(refreshToken: string, actor: Actor): Promise<Tokens> {
    const candidates = this.hasher.candidates(refreshToken);
    const pair = this.newPair();
    const [expiries] = await this.database.query<Expiries>(REFRESH, [candidates, ...pair.values]);
    if (expiries) return pair.shown(expiries);
    await this.endIfReused(candidates, actor);
    throw new RefreshTokenIsNotValid();
  }

  /** The session of this access token, which ends with its whole family. */
  async end(accessToken: string, actor: Actor): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [session] = await transaction.query<{ id: string }>(REVOKE_BY_TOKEN, [
        this.hasher.candidates(accessToken),
      ]);
      if (session) await this.recordRevoked(transaction, session.id, actor);
    });
  }

  /** @throws SessionNotFound also when it is somebody else's. */
  async endOne(userId: string, sessionId: string, actor: Actor): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [session] = await transaction.query<{ id: string }>(REVOKE_ONE, [sessionId, userId]);
      if (!session) throw new SessionNotFound();
      await this.recordRevoked(transaction, sessionId, actor);
    });
  }

  /** All of the user's but the one of this access token. */
  async endOthers(executor: Executor, userId: string, accessToken: string): Promise<void> {
    await executor.query(REVOKE_OTHERS, [userId, this.hasher.candidates(accessToken)]);
  }

  /** Those that can be used still, newest first. */
  list(userId: string, accessToken: string): Promise<SessionRow[]> {
    return this.database.query<SessionRow>(LIST, [userId, this.hasher.candidates(accessToken)]);
  }

  private async endIfReused(candidates: Buffer[], actor: Actor): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [session] = await transaction.query<{ id: string; user_id: string }>(END_REUSED, [candidates]);
      if (!session) return;
      await this.audit.record(transaction, {
        action: 'authn_token_reuse',
        result: 'failure',
        organizationId: null,
        actor: { ...actor, id: session.user_id },
        target: { type: 'session', id: session.id },
      });
    });
  }

  private recordRevoked(executor: Executor, id: string, actor: Actor): Promise<void> {
    const target = { type: 'session', id };
    return this.audit.record(executor, {
      action: 'authn_token_revoked',
      actor,
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
      values: [access.hash, refresh.hash, access.version, accessTokenMinutes, refreshTokenDays],
      shown(expiries: Expiries): Tokens {
        const { access_expires_at: accessExpiresAt, refresh_expires_at: refreshExpiresAt } = expiries;
        return { accessToken, accessExpiresAt, refreshToken, refreshExpiresAt };
      },
    };
  }
}
