import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { SecretIsUnreadable } from '#libs/encryption';
import { type AuditActor, GatewayAudit } from '../../audit/gateway-audit.js';
import { SecretHasChanged } from '../credential.errors.js';
import type { CredentialRow } from '../credential-row.js';
import { Credentials, type SealedCredential } from '../credentials.js';
import { CredentialsStore } from '../credentials.store.js';
import { STORE_CHECK } from './check.sql.js';
import { checkResult, type CheckResult, CredentialChecks } from './credential-check.js';

/** Of all calls of one check. */
const TIMEOUT_MS = 15_000;

/** Asks the provider whether it accepts a credential, and stores what that means for calls with it. */
@Injectable()
export class CheckCredential {
  constructor(
    private readonly checks: CredentialChecks,
    private readonly credentials: Credentials,
    private readonly store: CredentialsStore,
    private readonly audit: GatewayAudit,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws CredentialNotFound, SecretHasChanged when the secret was replaced in the meantime */
  async check({ id, provider }: CredentialRow, actor: AuditActor): Promise<CredentialRow> {
    const sealed = await this.store.findSealed(id);
    const startedAt = this.clock.monotonic();
    const result = await this.resultFor(sealed, provider);
    const milliseconds = Math.round(this.clock.monotonic() - startedAt);
    return this.database.transaction(async (transaction) => {
      const values = [id, sealed.secret, { ...result, milliseconds }, result.outcome];
      const [row] = await transaction.query<CredentialRow>(STORE_CHECK, values);
      if (!row) {
        await this.store.find(id);
        throw new SecretHasChanged();
      }
      await this.audit.record(transaction, {
        action: 'credential_checked',
        actor,
        organizationId: row.organization_id,
        target: { type: 'credential', id },
        details: { provider, outcome: result.outcome },
      });
      return row;
    });
  }

  private async resultFor(
    sealed: SealedCredential,
    provider: CredentialRow['provider'],
  ): Promise<CheckResult> {
    const check = this.checks.of(provider);
    if (!check) return checkResult('not_checkable');
    const { organizationId } = sealed;
    const secret = this.opened(sealed);
    if (secret === null) return UNREADABLE;
    return check({ secret, organizationId, signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: TIMEOUT_MS });
  }

  /** null: the key that encrypted it is not configured. */
  private opened(sealed: SealedCredential): string | null {
    try {
      return this.credentials.open(sealed);
    } catch (error) {
      if (error instanceof SecretIsUnreadable) return null;
      throw error;
    }
  }
}

const UNREADABLE = checkResult('refused', {
  code: 'secret_unreadable',
  detail: 'The stored secret cannot be decrypted with the configured keys. Replace it.',
});
