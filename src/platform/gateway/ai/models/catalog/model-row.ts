import type { AiCapability } from '../../../access/attribution.js';
import { lifecycleNow } from '../../plan-sql/lifecycle.sql.js';
import type { Lifecycle } from '../domain/lifecycle.js';
import { isPriced, type Prices } from '../domain/prices.js';
import { isPricedFor } from '../domain/priced-for.js';

/** A model of the catalog as it is today. */
export interface CatalogModel {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly capabilities: readonly AiCapability[];
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  readonly lifecycle: Lifecycle;
  /** `YYYY-MM-DD`. */
  readonly deprecatedAt: string | null;
  readonly retiresAt: string | null;
  readonly prices: Prices | null;
  readonly priceSource: string | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** Since when the provider's own list is known not to have it; null: it has, or was not read. */
  readonly unlistedSince: Date | null;
  /** When the provider said last during a call that it does not have the model; null: never. Exact to an hour. */
  readonly refusedAt: Date | null;
}

/** For everything that it serves. */
export const isModelPriced = ({ id, capabilities, prices }: CatalogModel): boolean =>
  isPriced(prices) && capabilities.every((capability) => isPricedFor(capability, id, prices));

/** Of models that the alias `m` names. */
export const MODEL_COLUMNS = `m.provider, m.id, m.name, m.capabilities, m.context_window AS "contextWindow",
  m.max_output_tokens AS "maxOutputTokens", ${lifecycleNow('m')} AS lifecycle,
  to_char(m.deprecated_at, 'YYYY-MM-DD') AS "deprecatedAt", to_char(m.retires_at, 'YYYY-MM-DD') AS "retiresAt",
  p.prices, p.source AS "priceSource", m.first_seen_at AS "firstSeenAt", m.last_seen_at AS "lastSeenAt",
  o.missing_since AS "unlistedSince", m.refused_at AS "refusedAt"`;

/** The current price of each model of the alias `m`, and what its provider's own list says. */
export const MODEL_JOINS = `LEFT JOIN LATERAL (
    SELECT price.prices, price.source FROM gateway.model_price price
     WHERE price.provider = m.provider AND price.model = m.id AND price.starts_at <= now()
     ORDER BY price.rank, price.starts_at DESC LIMIT 1) p ON true
  LEFT JOIN gateway.model_observation o
    ON o.provider = m.provider AND o.model = m.id AND o.source = m.provider`;
