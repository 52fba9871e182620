import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, statement } from '#libs/database';
import { Leases } from '#libs/due-work';
import { NetworkIsUnavailable } from '../integration.errors.js';
import type { Grant, PublishingProvider } from '../provider.js';

type Tokens = Pick<Grant, 'accessToken' | 'refreshToken'>;

/** Longer than any call to a network may take (NETWORK_TIMEOUT_MS, a minute at most). */
const LEASE_MS = 90_000;
const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 100;

/** Connections of every brand and organization: to the network they are one consent. */
const IN_USE = statement(
  'integrations_consent_in_use',
  `SELECT FROM integrations.connection WHERE platform = $1 AND account_id = $2 AND state = 'active' LIMIT 1`,
);

/**
 * Ends grants at the network without ending what other connections live on. Where a revocation ends the whole consent, one
 * process at a time asks whether a connection still uses it and acts on the answer, by a lease over all replicas.
 */
@Injectable()
export class Revocations {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /**
   * For a grant that no connection keeps, once that is committed. Best effort: without the lease the consent stays.
   * @param accountId null where the network did not say whose it is: a consent stays then, another connection may use it.
   */
  async end(provider: PublishingProvider, accountId: string | null, grant: Tokens): Promise<void> {
    if (provider.revocation === 'token') return provider.revoke(grant);
    if (accountId === null) return;
    await this.alone(provider, accountId, async () => {
      const used = await this.database.query(IN_USE, [provider.platform, accountId]);
      if (used.length === 0) await provider.revoke(grant);
    }).catch((error: unknown) => {
      if (!(error instanceof NetworkIsUnavailable)) throw error;
    });
  }

  /** For the grant that a newer one of the same connection replaced: its consent is the newer one's too. */
  async replaced(provider: PublishingProvider, older: Tokens, newer: Tokens): Promise<void> {
    const isAnother = older.accessToken !== newer.accessToken && older.refreshToken !== newer.refreshToken;
    if (provider.revocation === 'token' && isAnother) await provider.revoke(older);
  }

  /**
   * Stores a new grant while no consent of the account is being ended. A consent that ended after the sign-in and before the
   * lease has taken the grant along: the network is asked once more before it is stored.
   * @throws NetworkIsUnavailable when another process holds the account for too long, and what `store` throws
   */
  async storing<T>(
    provider: PublishingProvider,
    accountId: string,
    grant: Tokens,
    store: () => Promise<T>,
  ): Promise<T> {
    if (provider.revocation === 'token') return store();
    return this.alone(provider, accountId, async () => {
      await provider.profile(grant.accessToken);
      return store();
    });
  }

  private async alone<T>(
    { platform, displayName }: PublishingProvider,
    accountId: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const until = this.clock.monotonic() + PATIENCE_MS;
    for (;;) {
      const held = await this.leases.acquire(this.database, [`consent:${platform}:${accountId}`], LEASE_MS);
      if (held.size > 0) return await work().finally(() => this.leases.release(this.database, held));
      if (this.clock.monotonic() >= until) throw new NetworkIsUnavailable(displayName);
      await sleep(LOOK_AGAIN_MS);
    }
  }
}
