import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { Database } from '#libs/database';
import { SecretHasher } from '../secrets/secret-hasher.js';

/** Longer than a session lasts by default, so that who signs in when it is over is known still. */
const MEMORY = "interval '210 days'";

export const FORGET_NETWORKS = `DELETE FROM identity.familiar_network WHERE last_seen_at < now() - ${MEMORY}`;

/** $1 hash of the place, $2 version of its key, $3 user. */
const REMEMBER = `INSERT INTO identity.familiar_network (hash, hash_version, user_id) VALUES ($1, $2, $3)
  ON CONFLICT (hash) DO UPDATE SET last_seen_at = now()`;

/** Of one account: a client that keeps no cookies is a new device at each sign-in. */
const MAX_PLACES = 1_000;

/** What is locked is in use by another sign-in just now. */
const FORGET_EXCESS = `
  DELETE FROM identity.familiar_network WHERE hash IN (
    SELECT hash FROM identity.familiar_network WHERE hash IN (
      SELECT hash FROM identity.familiar_network WHERE user_id = $1 ORDER BY last_seen_at DESC OFFSET ${MAX_PLACES})
    FOR UPDATE SKIP LOCKED)`;

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

  /** @param places networks as `Actor` has them, and devices. @returns those known; none for accounts that do not exist. */
  async known(emailKey: string, places: readonly string[]): Promise<ReadonlySet<string>> {
    const hashes = places.map((place) => this.hasher.candidates(named(emailKey, place)));
    const rows = await this.database.query<{ hash: Buffer }>(
      `SELECT hash FROM identity.familiar_network WHERE hash = ANY ($1) AND last_seen_at > now() - ${MEMORY}`,
      [hashes.flat()],
    );
    const isKnown = (_: string, index: number) =>
      rows.some(({ hash }) => hashes[index]?.some((candidate) => candidate.equals(hash)));
    return new Set(places.filter(isKnown));
  }

  /** @param places as of `known`; the network first, so that sign-ins at once lock their places in one order. */
  async add(executor: Executor, userId: string, emailKey: string, places: readonly string[]): Promise<void> {
    for (const place of places) {
      const { hash, version } = this.hasher.hash(named(emailKey, place));
      await executor.query(REMEMBER, [hash, version, userId]);
    }
    await executor.query(FORGET_EXCESS, [userId]);
  }

  /** All of the account's: whoever knew its former password may have been at any of them. */
  async clear(executor: Executor, userId: string): Promise<void> {
    await executor.query('DELETE FROM identity.familiar_network WHERE user_id = $1', [userId]);
  }
}

/** Devices too start with "network": stored hashes depend on it. */
function named(emailKey: string, place: string): string {
  return `network ${JSON.stringify([emailKey, place])}`;
}
