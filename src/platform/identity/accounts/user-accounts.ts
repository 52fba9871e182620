import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { LAUNCHER_ELIGIBLE } from '../validation/validate.statement.js';
import { EmailIsTaken } from '../identity.errors.js';
import type { UserPayloadDto } from '../validation/dto/user-payload.dto.js';

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string;
  readonly principal_type: string;
  readonly launcher_eligible: boolean;
  readonly disabled_at: Date | null;
}

const COLUMNS = `id, email, name, password_hash, principal_type, ${LAUNCHER_ELIGIBLE}, disabled_at`;

/** The rows of identity.user_account. */
@Injectable()
export class UserAccounts {
  /** @throws EmailIsTaken, also when another registration with the address commits first. */
  async add(
    executor: Executor,
    user: { id: string; email: string; emailKey: string; name: string; passwordHash: string },
  ): Promise<UserRow> {
    const [row] = await executor.query<UserRow>(
      `INSERT INTO identity.user_account (id, email, email_key, name, password_hash) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (email_key) DO NOTHING RETURNING ${COLUMNS}`,
      [user.id, user.email, user.emailKey, user.name, user.passwordHash],
    );
    if (!row) throw new EmailIsTaken();
    return row;
  }

  /** Includes disabled accounts. */
  async findByEmail(executor: Executor, key: string): Promise<UserRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM identity.user_account WHERE email_key = $1`;
    return (await executor.query<UserRow>(sql, [key]))[0];
  }

  async findById(executor: Executor, id: string): Promise<UserRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM identity.user_account WHERE id = $1`;
    return (await executor.query<UserRow>(sql, [id]))[0];
  }

  /**
   * Replaces only the verified hash, so that a concurrent password change is not overwritten.
   * @returns whether the hash was stored.
   */
  async setPassword(executor: Executor, verified: UserRow, passwordHash: string): Promise<boolean> {
    const stored = await executor.query(
      'UPDATE identity.user_account SET password_hash = $2 WHERE id = $1 AND password_hash = $3 RETURNING id',
      [verified.id, passwordHash, verified.password_hash],
    );
    return stored.length > 0;
  }
}

export function userPayload(row: UserRow): UserPayloadDto {
  const { id, name, email, principal_type: principalType, launcher_eligible: launcherEligible } = row;
  return {
    id,
    name,
    email,
    principalType,
    principalServices: [],
    launcherEligible,
    selectedHouseholdId: null,
    selectedHousehold: null,
  };
}
