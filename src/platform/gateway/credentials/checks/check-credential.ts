import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, statement } from '#libs/database';
import { type AuditActor, GatewayAudit } from '../../audit/gateway-audit.js';
import type { CredentialDto } from '../credential.dto.js';
import { SecretHasChanged } from '../credential.errors.js';
import { Credentials, type SealedCredential } from '../credentials.js';
import { CREDENTIAL_COLUMNS } from '../credentials.sql.js';
import { CredentialsStore } from '../credentials.store.js';
import { checkResult, type CheckResult, CredentialChecks } from './credential-check.js';

/**
 * No row when the secret was replaced or erased: the result is not about the present one. A check that works lets one call probe a
 * credential that was held back, also for want of money: lists of models work without money, and the probe holds it back again.
 * $1 id, $2 sealed secret that was checked, $3 result, $4 outcome
 */
const STORE_CHECK = statement(
  'gateway_store_credential_check',
  `UPDATE gateway.credential SET checked_at = now(), check_result = $3,
     failing_since = CASE $4 WHEN 'refused' THEN coalesce(failing_since, now())
                             WHEN 'works' THEN NULL WHEN 'out_of_money' THEN NULL ELSE failing_since END,
     breaker_open_until = CASE $4 WHEN 'works' THEN CASE WHEN breaker_open_until IS NOT NULL THEN now() END
                                  WHEN 'out_of_money' THEN 'infinity' ELSE breaker_open_until END,
     breaker_reason = CASE $4 WHEN 'out_of_money' THEN 'money' ELSE breaker_reason END,
     breaker_failures = CASE $4 WHEN 'works' THEN 0 ELSE breaker_failures END
   WHERE id = $1 AND secret = $2 AND deleted_at IS NULL
   RETURNING ${CREDENTIAL_COLUMNS}`,
);

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

  async check({ id, provider }: CredentialDto, actor: AuditActor): Promise<CredentialDto> {
    const sealed = await this.store.findSealed(id);
    const startedAt = this.clock.monotonic();
    const result = await this.resultFor(sealed, provider);
    const milliseconds = Math.round(this.clock.monotonic() - startedAt);
    return this.database.transaction(async (transaction) => {
      const values = [id, sealed.secret, { ...result, milliseconds }, result.outcome];
      const [row] = await transaction.query<CredentialDto>(STORE_CHECK, values);
      if (!row) {
        await this.store.find(id);
        throw new SecretHasChanged();
      }
      await this.audit.record(transaction, {
        action: 'credential_checked',
        actor,
        organizationId: row.organizationId,
        target: { type: 'credential', id },
        details: { provider, outcome: result.outcome },
      });
      return row;
    });
  }

  private async resultFor(
    sealed: SealedCredential,
    provider: CredentialDto['provider'],
  ): Promise<CheckResult> {
    const check = this.checks.of(provider);
    if (!check) return checkResult('not_checkable');
    const { organizationId } = sealed;
    const secret = this.credentials.openOrNull(sealed);
    if (secret === null) return UNREADABLE;
    return check({ secret, organizationId, signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: TIMEOUT_MS });
  }
}

const UNREADABLE = checkResult('refused', {
  code: 'secret_unreadable',
  detail: 'The stored secret cannot be decrypted with the configured keys. Replace it.',
});
