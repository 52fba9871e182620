import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { type AuditActor, GatewayAudit } from '../../../audit/gateway-audit.js';
import { ModelIsNotFound } from '../model.errors.js';
import { modelRef, type ModelRef } from '../domain/model-ref.js';
import type { Prices } from '../domain/prices.js';
import type { ModelPriceDto } from './operator-price.dto.js';

const COLUMNS = `p.provider || '/' || p.model AS model, p.starts_at AS "startsAt", p.prices, p.source, p.recorded_at AS "recordedAt"`;

/** $1 provider, $2 model */
const PRICES_OF_MODEL = statement(
  'gateway_prices_of_model',
  `SELECT ${COLUMNS}, c.provider IS NOT NULL AS applies
     FROM gateway.model_price p
     LEFT JOIN gateway.current_model_price c
       ON c.provider = p.provider AND c.model = p.model AND c.source = p.source AND c.starts_at = p.starts_at
    WHERE p.provider = $1 AND p.model = $2 ORDER BY p.rank, p.starts_at DESC`,
);

/**
 * A stored price is never changed. Of two that begin at the same moment, the later transaction's counts.
 * No row: the catalog has no such model. $1 provider, $2 model, $3 prices
 */
const SET_PRICE = statement(
  'gateway_set_operator_price',
  `INSERT INTO gateway.model_price AS p (provider, model, starts_at, prices, source)
   SELECT m.provider, m.id, clock_timestamp(), $3::jsonb, 'operator'
     FROM gateway.model m WHERE m.provider = $1 AND m.id = $2
   ON CONFLICT (provider, model, rank, starts_at) DO UPDATE SET prices = excluded.prices, recorded_at = now()
   RETURNING ${COLUMNS}, true AS applies`,
);

/** Prices that operators set where no source has one, or a wrong one. They count before those of all sources. */
@Injectable()
export class OperatorPrices {
  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
  ) {}

  /** Of all sources, the first that counts first. */
  list({ provider, model }: ModelRef): Promise<ModelPriceDto[]> {
    return this.database.query(PRICES_OF_MODEL, [provider, model]);
  }

  /** Costs of calls that have begun keep the price of their beginning. @throws ModelIsNotFound */
  set(model: ModelRef, prices: Prices, actor: AuditActor): Promise<ModelPriceDto> {
    return this.database.transaction(async (transaction) => {
      const values = [model.provider, model.model, JSON.stringify(prices)];
      const [stored] = await transaction.query<ModelPriceDto>(SET_PRICE, values);
      if (!stored) throw new ModelIsNotFound(modelRef(model));
      await this.audit.record(transaction, {
        action: 'model_price_set',
        actor,
        organizationId: null,
        target: { type: 'model', id: stored.model },
        details: { startsAt: stored.startsAt.toISOString(), prices },
      });
      return stored;
    });
  }
}
