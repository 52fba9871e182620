import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { within } from '#libs/concurrency';
import { Database, isTransient } from '#libs/database';
import { Leases } from '#libs/due-work';
import { HttpConfig } from '#libs/http';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import { CLIENT_REFUSED } from '../domain/integration.errors.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import type { RefreshResult } from './connection-refresh.client.js';
import { EndedGrants, TokensHaveChanged } from './ended-grants.js';
import { Revocations } from './revocations.js';
import { type GrantedTokens, type StoredTokens, TokensStore } from './tokens.store.js';

/** Longer than a call to a network may take (NETWORK_TIMEOUT_MS, at most a minute): an expired lease belongs to a dead process. */
const LEASE_MS = 90_000;
/** A second caller waits this long for the running renewal. */
const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 100;
/** Interval of attempts to store while the database is unavailable. */
const RETRY_MS = 250;

/**
 * Renews tokens at the network. Refresh tokens are used once: one renewal of a connection at a time over all replicas,
 * by a lease and not by a transaction, so that a network that answers slowly keeps no connection to the database.
 * What the network grants is not lost to an outage of the database. It is lost with a process that is killed before it
 * is stored: the network has taken the old refresh token by then, and the owner has to connect again.
 */
@Injectable()
export class ConnectionRefresher implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ConnectionRefresher.name);
  private readonly running = new Set<Promise<RefreshResult | undefined>>();

  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly tokens: TokensStore,
    private readonly providers: ProviderRegistry,
    private readonly platforms: PlatformHolds,
    private readonly ended: EndedGrants,
    private readonly http: HttpConfig,
    private readonly revocations: Revocations,
  ) {}

  /** @param refusedVersion version that no longer works; stored tokens of a newer version count as renewed */
  async refresh(connectionId: string, refusedVersion?: number): Promise<RefreshResult> {
    const until = this.clock.monotonic() + PATIENCE_MS;
    for (let version = refusedVersion; ; await sleep(LOOK_AGAIN_MS)) {
      const stored = await this.toRenew(connectionId, version);
      if ('result' in stored) return stored;
      version = stored.tokenVersion;
      const key = `connection-refresh:${connectionId}`;
      const alone = () => this.alone(connectionId, stored.tokenVersion);
      const renewal = this.leases.whileHeld(this.database, key, LEASE_MS, alone);
      this.running.add(renewal);
      const renewed = await renewal.finally(() => this.running.delete(renewal));
      if (renewed) return renewed;
      if (this.clock.monotonic() >= until) return { result: 'unavailable' };
    }
  }

  /** Resolves when granted tokens are stored, at the latest after the shutdown time of requests. */
  async beforeApplicationShutdown(): Promise<void> {
    await within(this.http.shutdownGraceMs, Promise.allSettled(this.running));
  }

  /** Another process may have renewed between the read and the lease. Continues when the caller disconnects. */
  private async alone(connectionId: string, version: number): Promise<RefreshResult> {
    try {
      const stored = await this.toRenew(connectionId, version);
      return 'result' in stored ? stored : await this.ask(stored);
    } catch (error) {
      if (error instanceof TokensHaveChanged) return { result: 'refreshed' };
      throw error;
    }
  }

  private async toRenew(
    connectionId: string,
    refusedVersion?: number,
  ): Promise<StoredTokens | RefreshResult> {
    const [stored] = await this.tokens.read([connectionId]);
    if (stored?.unreadable) return { result: 'misconfigured' };
    if (stored?.state !== 'active') return { result: 'reconnect-needed' };
    const isNewer = refusedVersion !== undefined && stored.tokenVersion !== refusedVersion;
    return isNewer ? { result: 'refreshed' } : stored;
  }

  private async ask(stored: StoredTokens): Promise<RefreshResult> {
    const { platform, accessToken, refreshToken, accessExpiresAt: expiresAt } = stored;
    if (accessToken === null) return this.markDead(stored);
    const provider = this.providers.publishing(platform);
    const answer = await provider.renew({ accessToken, refreshToken, expiresAt });
    switch (answer.kind) {
      case 'granted':
        await this.store(stored, answer.grant).catch(async (error: unknown) => {
          // No row holds this grant any more, and disconnecting promised that it is revoked.
          await this.revocations.end(provider, stored, answer.grant);
          throw error;
        });
        await this.platforms.release(platform, CLIENT_REFUSED);
        return { result: 'refreshed' };
      case 'dead':
        return this.markDead(stored, answer.networkCode);
      case 'misconfigured':
        await this.platforms.hold(platform, CLIENT_REFUSED);
        return { result: answer.kind };
      case 'unavailable':
        return { result: answer.kind };
    }
  }

  /**
   * Retries until the database is available: the former refresh token no longer works. The lease is held, so that no process uses
   * that token. Only the version that was used is replaced.
   * @throws TokensHaveChanged
   */
  private async store({ connectionId, tokenVersion }: StoredTokens, grant: GrantedTokens): Promise<void> {
    for (;;) {
      try {
        if (await this.tokens.replace(connectionId, tokenVersion, grant)) return;
        if (await this.isStored(connectionId, grant)) return;
        throw new TokensHaveChanged();
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.logger.error(error, 'Renewed tokens could not be stored yet; they are kept and tried again.');
        await sleep(RETRY_MS);
      }
    }
  }

  /** By an attempt whose response was lost. */
  private async isStored(connectionId: string, { accessToken }: GrantedTokens): Promise<boolean> {
    const [stored] = await this.tokens.read([connectionId]);
    return stored?.accessToken === accessToken;
  }

  private async markDead(stored: StoredTokens, networkCode?: string): Promise<RefreshResult> {
    await this.ended.mark(stored);
    return { result: 'reconnect-needed', networkCode };
  }
}
