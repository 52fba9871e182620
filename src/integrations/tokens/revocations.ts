import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, statement } from '#libs/database';
import { Leases } from '#libs/due-work';
import { NetworkIsUnavailable } from '../domain/integration.errors.js';
import type { PublishingProvider } from '../provider.js';
import type { GrantedAccount, Tokens } from '../domain/provider-grants.js';

/** Longer than any call to a network may take (NETWORK_TIMEOUT_MS, a minute at most). */
const LEASE_MS = 90_000;
const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 100;

/** Connections of every brand and organization: to the network they are one consent. */
const IN_USE = statement(
  'integrations_consent_in_use',
  `SELECT FROM integrations.connection
   WHERE platform = $1 AND (consent_id = $2 OR (consent_id IS NULL AND account_id = $2)) AND state = 'active' LIMIT 1`,
);

/** What a grant belongs to, as stored with its connection. */
export interface Grantor {
  /** null: the network did not say whose grant it is. */
  readonly accountId: string | null;
  readonly consentId: string | null;
}

/**
 * Ends grants at the network without ending what other connections live on. Where a revocation ends a shared consent, one process
 * at a time asks whether a connection still uses it and acts on the answer, by a lease over all replicas.
 */
@Injectable()
export class Revocations {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /** For a grant that no connection keeps, once that is committed. Best effort: without the lease the consent stays. */
  async end(provider: PublishingProvider, { accountId, consentId }: Grantor, grant: Tokens): Promise<void> {
    if (provider.revocation === 'token' && consentId === null) return provider.revoke(grant);
    const shared = consentId ?? accountId;
    // Another connection may use a consent of which it is not known whose it is.
    if (shared === null) return;
    await this.alone(provider, shared, async () => {
      const used = await this.database.query(IN_USE, [provider.platform, shared]);
      if (used.length === 0) await provider.revoke(grant);
    }).catch((error: unknown) => {
      if (!(error instanceof NetworkIsUnavailable)) throw error;
    });
  }

  /** For the grant that a newer one of the same connection replaced: a shared consent is the newer one's too. */
  async replaced(
    provider: PublishingProvider,
    { consentId, grant }: GrantedAccount,
    older: Tokens,
  ): Promise<void> {
    const isAnother = older.accessToken !== grant.accessToken && older.refreshToken !== grant.refreshToken;
    if (provider.revocation === 'token' && consentId === null && isAnother) await provider.revoke(older);
  }

  /**
   * Stores new grants while no consent they belong to is being ended. A consent that ended after the sign-in and before the lease
   * has taken its grants along: the network is asked once more before they are stored.
   * @throws NetworkIsUnavailable when another process holds a consent for too long, and what `store` throws
   */
  async storing<T>(
    provider: PublishingProvider,
    accounts: readonly GrantedAccount[],
    askAgain: () => Promise<unknown>,
    store: () => Promise<T>,
  ): Promise<T> {
    const consents = new Set(accounts.flatMap((account) => consentOf(provider, account) ?? []));
    if (consents.size === 0) return store();
    const alone = [...consents].sort().reduceRight(
      (work, consent) => () => this.alone(provider, consent, work),
      () => askAgain().then(store),
    );
    return alone();
  }

  private async alone<T>(
    { platform, displayName }: PublishingProvider,
    consentId: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const until = this.clock.monotonic() + PATIENCE_MS;
    for (;;) {
      const held = await this.leases.acquire(this.database, [`consent:${platform}:${consentId}`], LEASE_MS);
      if (held.size > 0) return await work().finally(() => this.leases.release(this.database, held));
      if (this.clock.monotonic() >= until) throw new NetworkIsUnavailable(displayName);
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

/** Which revocation would end the grant together with others; null: none. */
function consentOf(
  { revocation }: PublishingProvider,
  { consentId, profile }: GrantedAccount,
): string | null {
  return consentId ?? (revocation === 'consent' ? profile.accountId : null);
}
