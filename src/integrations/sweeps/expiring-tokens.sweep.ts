import { Injectable } from '@nestjs/common';
import { concurrently } from '#libs/concurrency';
import { Database } from '#libs/database';
import { Leases, PeriodicSweep } from '#libs/due-work';
import { ConnectionRefreshClient, type RefreshResult } from '../tokens/connection-refresh.client.js';
import { AuthorizationRequestsStore } from '../sign-in/authorization-requests.store.js';
import { ConnectStartsStore } from '../sign-in/connect-starts.store.js';
import { PreparationsStore } from '../preparations/preparations.store.js';
import { ProviderRegistry } from '../registry/provider-registry.js';

const EVERY_MS = 60_000;
const LEASE = 'sweep:expiring-tokens';
const LEASE_MS = 5 * EVERY_MS;
const BATCH = 100;
/** Concurrent renewals: they are not urgent. */
const AT_ONCE = 8;
/** The nil UUID of RFC 9562, section 5.9. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

interface Expiring {
  readonly id: string;
  readonly tokenVersion: number;
}

/**
 * Renews tokens before they expire and deletes expired sign-ins. One replica at a time, by a lease; if two overlap, the API still
 * renews each version of a token once. The next sweep repeats failed renewals.
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
    super(EVERY_MS);
  }

  /** @returns number of connections to renew; 0 also when another replica holds the lease */
  async sweep(): Promise<number> {
    const renewed = await this.leases.whileHeld(this.database, LEASE, LEASE_MS, (lost) =>
      this.sweepAlone(lost),
    );
    return renewed ?? 0;
  }

  private async sweepAlone(lost: AbortSignal): Promise<number> {
    await this.requests.deleteExpired();
    await this.starts.deleteExpired();
    await this.preparations.deleteOld();
    const expiring = await this.expiring();
    // Also with nothing to renew: a wrong address or token of the API shows now, not when the first token has expired.
    if (expiring.length === 0) await this.client.refresh(NIL_UUID);
    const results = await this.renewAll(expiring, lost);
    const left = results.filter(
      ({ result }) => result === 'unavailable' || result === 'misconfigured',
    ).length;
    if (left > 0) this.logger.warn(`${left} of ${results.length} expiring tokens could not be renewed yet.`);
    return results.length;
  }

  /** The earliest expiry first, each once: a network that does not renew delays no other one. */
  private async renewAll(expiring: readonly Expiring[], lost: AbortSignal): Promise<RefreshResult[]> {
    const results: RefreshResult[] = [];
    for (let from = 0; from < expiring.length && !this.isStopping && !lost.aborted; from += BATCH)
      results.push(...(await this.renewBatch(expiring.slice(from, from + BATCH))));
    return results;
  }

  private async renewBatch(batch: readonly Expiring[]): Promise<RefreshResult[]> {
    const results: RefreshResult[] = [];
    await concurrently(batch, AT_ONCE, async ({ id, tokenVersion }) => {
      results.push(await this.client.refresh(id, tokenVersion));
    });
    return results;
  }

  /** Also those that nothing renews and that have ended: their owners have to connect again. */
  private expiring(): Promise<Expiring[]> {
    const providers = this.providers.connected();
    return this.database.query<Expiring>(
      `SELECT c.id, c.token_version AS "tokenVersion"
       FROM unnest($1::text[], $2::boolean[], $3::float8[]) AS renewal (platform, by_itself, ahead_ms) CROSS JOIN LATERAL (
         SELECT * FROM integrations.connection AS c
         WHERE c.platform = renewal.platform AND c.state = 'active'
           AND c.access_expires_at < now() + make_interval(secs => renewal.ahead_ms / 1000)
           AND (renewal.by_itself OR c.refresh_token IS NOT NULL OR c.access_expires_at < now())
         ORDER BY c.access_expires_at) AS c
       ORDER BY c.access_expires_at, c.id`,
      [
        providers.map(({ platform }) => platform),
        providers.map(({ renewal }) => renewal.by === 'access-token'),
        providers.map(({ renewal }) => renewal.aheadMs),
      ],
    );
  }
}
