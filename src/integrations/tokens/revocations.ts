import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, statement } from '#libs/database';
import { Leases } from '#libs/due-work';
import { NetworkIsUnavailable } from '../domain/integration.errors.js';
import type { PublishingProvider } from '../provider.types.js';
import type { FormerGrant, GrantedAccount, Tokens } from '../domain/provider-grants.js';

/** Longer than any call to a network may take (NETWORK_TIMEOUT_MS, a minute at most). */
const LEASE_MS = 90_000;
const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 100;

/** In all brands and organizations: at the network it is one consent. */
const IN_USE = statement(
  'integrations_consent_in_use',
  `SELECT FROM integrations.connection
   WHERE platform = $1 AND (consent_id = $2 OR (consent_id IS NULL AND account_id = $2)) AND state = 'active' LIMIT 1`,
);

/** Whose grant it is, as stored with its connection. */
export interface Grantor {
  /** null: the network did not say whose grant it is. */
  readonly accountId: string | null;
  readonly consentId: string | null;
}

/** Ends grants, but no consent that another connection uses: under a lease over all replicas, one process at a time checks and revokes. */
@Injectable()
export class Revocations {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /** For a grant that no connection stores any more; call it after the commit. Best effort: without the lease the consent stays. */
  async end(provider: PublishingProvider, { accountId, consentId }: Grantor, grant: Tokens): Promise<void> {
    if (provider.revocation === 'token' && consentId === null) return provider.revoke(grant, null);
    const shared = consentId ?? accountId;
    // The consent is unknown, so another connection may use it.
    if (shared === null) return;
    await this.alone(provider, shared, async () => {
      const used = await this.database.query(IN_USE, [provider.platform, shared]);
      if (used.length === 0) await provider.revoke(grant, consentId);
    }).catch((error: unknown) => {
      if (!(error instanceof NetworkIsUnavailable)) throw error;
    });
  }

  /** A consent of several accounts ends when no connection uses it; that of the one account is the newer grant's too and stays. */
  async endFormer(
    provider: PublishingProvider,
    { profile, consentId, grant }: GrantedAccount,
    former: FormerGrant,
  ): Promise<void> {
    const isSameConsent = former.consentId === consentId;
    if (former.consentId !== null && !isSameConsent)
      return this.end(provider, { accountId: profile.accountId, consentId: former.consentId }, former);
    const isAnother = former.accessToken !== grant.accessToken && former.refreshToken !== grant.refreshToken;
    if (provider.revocation === 'token' && isSameConsent && consentId === null && isAnother)
      await provider.revoke(former, null);
  }

  /**
   * Stores new grants while none of their consents is being ended. The accounts are listed again under the leases, and that list is
   * stored: a consent that ended before the leases has ended the first list's grants, and some networks issue new tokens with each list.
   * @throws NetworkIsUnavailable when another process holds a consent for too long, and what `list` and `store` throw
   */
  async storing<T>(
    provider: PublishingProvider,
    accounts: readonly GrantedAccount[],
    list: () => Promise<readonly GrantedAccount[]>,
    store: (accounts: readonly GrantedAccount[]) => Promise<T>,
  ): Promise<T> {
    const consents = new Set(accounts.flatMap((account) => consentOf(provider, account) ?? []));
    if (consents.size === 0) return store(accounts);
    const alone = [...consents].sort().reduceRight(
      (work, consent) => () => this.alone(provider, consent, work),
      () => list().then(store),
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
      const key = `consent:${platform}:${consentId}`;
      const done = await this.leases.whileHeld(this.database, key, LEASE_MS, async () => ({
        result: await work(),
      }));
      if (done) return done.result;
      if (this.clock.monotonic() >= until) throw new NetworkIsUnavailable(displayName);
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

/** The consent whose revocation ends this grant and others; null: none. */
function consentOf(
  { revocation }: PublishingProvider,
  { consentId, profile }: GrantedAccount,
): string | null {
  return consentId ?? (revocation === 'consent' ? profile.accountId : null);
}
