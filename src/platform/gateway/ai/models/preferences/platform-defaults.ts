import { type Database, statement } from '#libs/database';
import { GatewayAudit, OPERATOR } from '../../../audit/gateway-audit.js';
import type { AiCapability } from '../../../access/attribution.js';

export interface DefaultModels {
  readonly capability: AiCapability;
  readonly defaultModel: string;
  readonly fallbackChain: readonly string[];
}

/** A row: the platform had no preference. $1 capability, $2 default, $3 chain */
const ADD = statement(
  'gateway_add_default_models',
  `INSERT INTO gateway.model_preference (organization_id, capability, default_model, fallback_chain)
   VALUES (NULL, $1, $2, $3::text[]) ON CONFLICT (organization_id, capability) DO NOTHING RETURNING version`,
);

/** Adds the platform's preferences that are missing. What is stored stays as it is. */
export async function ensureModels(database: Database, defaults: readonly DefaultModels[]): Promise<void> {
  const audit = new GatewayAudit();
  for (const { capability, defaultModel, fallbackChain } of defaults)
    await database.transaction(async (transaction) => {
      const [added] = await transaction.query<object>(ADD, [capability, defaultModel, fallbackChain]);
      if (!added) return;
      await audit.record(transaction, {
        action: 'model_preference_changed',
        actor: OPERATOR,
        organizationId: null,
        target: { type: 'model_preference', id: capability },
        details: { before: null, after: { defaultModel, fallbackChain } },
      });
    });
}
