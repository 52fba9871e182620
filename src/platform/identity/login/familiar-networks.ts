import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { Database } from '#libs/database';
import { SecretHasher } from '../secrets/secret-hasher.js';

/** Longer than a session lasts by default, so that who signs in when it is over is known still. */
const MEMORY = "interval '210 days'";

export const FORGET_NETWORKS = `DELETE FROM identity.familiar_network WHERE last_seen_at < now() - ${MEMORY}`;

/**
 * Where an account was signed in to with its password before. What strangers do to the account does not keep anybody out
 * there. Kept as hashes only.
 */
@Injectable()
export class FamiliarNetworks {
  constructor(
    private readonly database: Database,
    private readonly hasher: SecretHasher,
  ) {}

  /** @param network as `Actor` has it. False for accounts that do not exist too. */
  async has(emailKey: string, network: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT FROM identity.familiar_network WHERE hash = ANY ($1) AND last_seen_at > now() - ${MEMORY}`,
      [this.hasher.candidates(named(emailKey, network))],
    );
    return rows.length > 0;
  }

  async add(executor: Executor, userId: string, emailKey: string, network: string): Promise<void> {
    const { hash, version } = this.hasher.hash(named(emailKey, network));
    await executor.query(
      `INSERT INTO identity.familiar_network (hash, hash_version, user_id) VALUES ($1, $2, $3)
       ON CONFLICT (hash) DO UPDATE SET last_seen_at = now()`,
      [hash, version, userId],
    );
  }

  /** All of the account's: whoever knew its former password may have been at any of them. */
  async clear(executor: Executor, userId: string): Promise<void> {
    await executor.query('DELETE FROM identity.familiar_network WHERE user_id = $1', [userId]);
  }
}

function named(emailKey: string, network: string): string {
  return `network ${JSON.stringify([emailKey, network])}`;
}
