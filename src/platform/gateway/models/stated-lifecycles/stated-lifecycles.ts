import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { AuditActor } from '../../audit/gateway-audit.js';
import { GatewayAudit } from '../../audit/gateway-audit.js';
import { ModelIsNotFound } from '../model.errors.js';
import type { ModelRef } from '../model-ref.js';
import { modelRef } from '../model-ref.js';
import { FIND, STATE, WITHDRAW } from './stated-lifecycles.sql.js';

export interface StatedLifecycle extends ModelRef {
  /** Days, `YYYY-MM-DD`. */
  readonly deprecatedAt: string | null;
  readonly retiresAt: string | null;
  /** `provider/model`. */
  readonly replacement: string | null;
}

/** The lifecycle of models that platform administrators state: it counts as a whole in place of what sources say. */
@Injectable()
export class StatedLifecycles {
  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
  ) {}

  /** @throws ModelIsNotFound */
  state(stated: StatedLifecycle, actor: AuditActor): Promise<void> {
    const { provider, model, deprecatedAt, retiresAt, replacement } = stated;
    return this.database.transaction(async (transaction) => {
      const values = [provider, model, deprecatedAt, retiresAt, replacement];
      const [found] = await transaction.query<object>(STATE, values);
      if (!found) throw new ModelIsNotFound(modelRef(stated));
      await this.audit.record(transaction, {
        action: 'model_lifecycle_stated',
        actor,
        organizationId: null,
        target: { type: 'model', id: modelRef(stated) },
        details: { deprecatedAt, retiresAt, replacement },
      });
    });
  }

  /** What sources say counts again. Without a statement nothing changes. @throws ModelIsNotFound */
  withdraw(ref: ModelRef, actor: AuditActor): Promise<void> {
    const values = [ref.provider, ref.model];
    return this.database.transaction(async (transaction) => {
      const [known] = await transaction.query<object>(FIND, values);
      if (!known) throw new ModelIsNotFound(modelRef(ref));
      const [withdrawn] = await transaction.query<object>(WITHDRAW, values);
      if (!withdrawn) return;
      await this.audit.record(transaction, {
        action: 'model_lifecycle_withdrawn',
        actor,
        organizationId: null,
        target: { type: 'model', id: modelRef(ref) },
      });
    });
  }
}
