import { Injectable } from '@nestjs/common';
import { Database, type Executor } from '#libs/database';
import { SecretHasher } from '../../credentials/secret-hasher.js';

const IPV6 = /^address:([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)::\/64$/;
const LOW_BITS_OF_56 = 0xff;

/**
 * Counter keys of an address: for IPv6 the /64, and the /56 and /48 that one customer can have.
 * @param network as in `Actor`
 */
export function networksOf(network: string): readonly string[] {
  const [, first, second, third, fourth = '0'] = IPV6.exec(network) ?? [];
  if (first === undefined) return [network];
  const site = `${first}:${second}:${third}`;
  const customer = (Number.parseInt(fourth, 16) & ~LOW_BITS_OF_56).toString(16);
  return [network, `address56:${site}:${customer}::/56`, `address48:${site}::/48`];
}

/** Longer than the default life of a session, so that a sign-in after its end still comes from a known place. */
const RETENTION = "interval '210 days'";

export const DELETE_STALE_NETWORKS = `DELETE FROM identity.familiar_network WHERE last_seen_at < now() - ${RETENTION}`;

/** $1 hash of the place, $2 version of its key, $3 user. */
const UPSERT = `INSERT INTO identity.familiar_network (hash, hash_version, user_id) VALUES ($1, $2, $3)
  ON CONFLICT (hash) DO UPDATE SET last_seen_at = now()`;

/** Per account: a client without cookies adds a new device at each sign-in. */
const MAX_PLACES = 1_000;

/** Skips rows that a concurrent sign-in has locked, because it uses them. */
const DELETE_EXCESS = `
  DELETE FROM identity.familiar_network WHERE hash IN (
    SELECT hash FROM identity.familiar_network WHERE hash IN (
      SELECT hash FROM identity.familiar_network WHERE user_id = $1 ORDER BY last_seen_at DESC OFFSET ${MAX_PLACES})
    FOR UPDATE SKIP LOCKED)`;

/**
 * Networks and devices of earlier sign-ins with the password. Failed sign-ins from elsewhere do not throttle sign-ins from
 * there. Stored as hashes only.
 */
@Injectable()
export class FamiliarNetworks {
  constructor(
    private readonly database: Database,
    private readonly hasher: SecretHasher,
  ) {}

  /** @param places networks as in `Actor`, and device keys. @returns the known ones; none for an unknown account. */
  async findKnown(emailKey: string, places: readonly string[]): Promise<ReadonlySet<string>> {
    const hashes = places.map((place) => this.hasher.candidates(hashInput(emailKey, place)));
    const rows = await this.database.query<{ hash: Buffer }>(
      `SELECT hash FROM identity.familiar_network WHERE hash = ANY ($1) AND last_seen_at > now() - ${RETENTION}`,
      [hashes.flat()],
    );
    const isKnown = (_: string, index: number) =>
      rows.some(({ hash }) => hashes[index]?.some((candidate) => candidate.equals(hash)));
    return new Set(places.filter(isKnown));
  }

  /** @param places as in `findKnown`; the network first, so that concurrent sign-ins lock rows in the same order. */
  async add(executor: Executor, userId: string, emailKey: string, places: readonly string[]): Promise<void> {
    for (const place of places) {
      const { hash, version } = this.hasher.hash(hashInput(emailKey, place));
      await executor.query(UPSERT, [hash, version, userId]);
    }
    await executor.query(DELETE_EXCESS, [userId]);
  }

  /** Deletes all places of the account: an attacker with the old password may have used any of them. */
  async clear(executor: Executor, userId: string): Promise<void> {
    await executor.query('DELETE FROM identity.familiar_network WHERE user_id = $1', [userId]);
  }
}

/** The input of a device also starts with "network": stored hashes depend on it. */
function hashInput(emailKey: string, place: string): string {
  return `network ${JSON.stringify([emailKey, place])}`;
}
