import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import { type AuditActor, GatewayAudit } from '../../audit/gateway-audit.js';
import { mailAddress } from '../shared/addresses.js';
import { SuppressionNotFound } from '../email.errors.js';
import { type SuppressionRow, Suppressions } from './suppressions.js';

/** Changes of the suppression list by people and services, audited in their transaction. The audit does not name the address. */
@Injectable()
export class ChangeSuppressions {
  constructor(
    private readonly database: Database,
    private readonly suppressions: Suppressions,
    private readonly audit: GatewayAudit,
  ) {}

  /** @throws RequestIsNotValid */
  add(organizationId: string | null, actor: AuditActor, text: string): Promise<SuppressionRow> {
    const address = mailAddress(text);
    if (address === null)
      throw new RequestIsNotValid([
        { pointer: '#/address', code: 'not_an_address', detail: 'must be one mail address' },
      ]);
    return this.database.transaction(async (transaction) => {
      const { row, isNew } = await this.suppressions.add(organizationId, address, 'manual', null, actor.id);
      if (!row) throw new SuppressionNotFound();
      if (isNew) await this.record(transaction, 'email_suppression_added', organizationId, actor, row);
      return row;
    });
  }

  /** @throws SuppressionNotFound */
  remove(organizationId: string | null, actor: AuditActor, id: string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const row = await this.suppressions.remove(organizationId, id);
      if (!row) throw new SuppressionNotFound();
      await this.record(transaction, 'email_suppression_removed', organizationId, actor, row);
    });
  }

  private record(
    transaction: Parameters<GatewayAudit['record']>[0],
    action: string,
    organizationId: string | null,
    actor: AuditActor,
    { id, reason }: SuppressionRow,
  ): Promise<void> {
    const target = { type: 'email_suppression', id };
    return this.audit.record(transaction, { action, actor, organizationId, target, details: { reason } });
  }
}
