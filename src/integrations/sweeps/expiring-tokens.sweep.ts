import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { Leases, PeriodicSweep } from '#libs/due-work';
import type { HeldLeases } from '#libs/due-work';
import { ConnectionRefreshClient } from '../tokens/connection-refresh.client.js';
import { AuthorizationRequestsStore } from '../sign-in/authorization-requests.store.js';
import { ConnectStartsStore } from '../sign-in/connect-starts.store.js';
import { PreparationsStore } from '../preparations/preparations.store.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import type { RefreshResult } from '../domain/token-refresh.js';

const EVERY_MS = 60_000;
const LEASE = 'sweep:expiring-tokens';
/** Renewed before every batch, which ends inside it even when no call is answered in time. */
const LEASE_MS = 5 * EVERY_MS;
const BATCH = 100;
/** A network is asked gently for what is not urgent. */
const AT_ONCE = 8;
/** The nil UUID of RFC 9562, section 5.9. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

interface Expiring {
  readonly id: string;
  readonly tokenVersion: number;
}

/**
 * Renews tokens before they end, however many, and forgets sign-ins that nobody came back from. One replica at a time;
 * should two ever be at it, the API renews each version of a token once. What fails is asked for again by the next sweep.
 */
@Injectable()
export class ExpiringTokensSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly client: ConnectionRefreshClient,
    private readonly requests: AuthorizationRequestsStore,
    private readonly starts: ConnectStartsStore,
    private readonly providers: ProviderRegistry,
    private readonly preparations: PreparationsStore,
  ) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }

  /** @returns how many connections were asked to be renewed; 0 too when another replica is at it. */
  async sweep(): Promise<number> {
    const lease = await this.leases.acquire(this.database, [LEASE], LEASE_MS);
    if (lease.size === 0) return 0;
    try {
      await this.requests.forgetExpired();
      await this.starts.deleteExpired();
      await this.preparations.forgetOld();
      const expiring = await this.expiring();
      // With nothing to renew, too: that the way to the API is wrong shows now, and not when the first token has ended.
      if (expiring.length === 0) await this.client.refresh(NIL_UUID);
      const results = await this.renewAll(expiring, lease);
      const left = results.filter((result) => result === 'unavailable' || result === 'misconfigured').length;
      if (left > 0)
        this.logger.warn(`${left} of ${results.length} expiring tokens could not be renewed yet.`);
      return results.length;
    } finally {
      await this.leases.release(this.database, lease);
    }
  }

  /** Those that end first come first, each once: what a network does not renew keeps nobody else waiting. */
  private async renewAll(expiring: readonly Expiring[], lease: HeldLeases): Promise<RefreshResult[]> {
    const results: RefreshResult[] = [];
    for (let from = 0; from < expiring.length && !this.isStopping; from += BATCH) {
      const held = await this.leases.renew(this.database, lease, LEASE_MS);
      if (held.size === 0) break;
      results.push(...(await this.renewBatch(expiring.slice(from, from + BATCH))));
    }
    return results;
  }

  private async renewBatch(batch: readonly Expiring[]): Promise<RefreshResult[]> {
    const results: RefreshResult[] = [];
    const waiting = batch.values();
    const renewer = async () => {
      for (const { id, tokenVersion } of waiting) results.push(await this.client.refresh(id, tokenVersion));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, renewer));
    return results;
  }

  private expiring(): Promise<Expiring[]> {
    const providers = this.providers.connected();
    return this.database.query<Expiring>(
      `SELECT c.id, c.token_version AS "tokenVersion"
       FROM integrations.connection c
       JOIN unnest($1::text[], $2::boolean[], $3::float8[]) AS renewal (platform, by_itself, ahead_ms) USING (platform)
       WHERE c.state = 'active' AND (renewal.by_itself OR c.refresh_token IS NOT NULL)
         AND c.access_expires_at < now() + make_interval(secs => renewal.ahead_ms / 1000)
       ORDER BY c.access_expires_at, c.id`,
      [
        providers.map(({ platform }) => platform),
        providers.map(({ renewal }) => renewal.by === 'access-token'),
        providers.map(({ renewal }) => renewal.aheadMs),
      ],
    );
  }
}
