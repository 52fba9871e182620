import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import type { AiCapability } from '../../../access/attribution.js';
import { lifecycleNow } from '../../plan-sql/lifecycle.sql.js';
import type { Lifecycle } from '../domain/model-ref.js';
import type { CatalogModel } from './model.dto.js';

/** At most one write per model and hour. $1 provider, $2 model */
const REFUSE = statement(
  'gateway_note_refused_model',
  `UPDATE gateway.model SET refused_at = now()
    WHERE provider = $1 AND id = $2 AND (refused_at IS NULL OR refused_at < now() - interval '1 hour')`,
);

/**
 * Models that a provider did not have when it was called. Governance shows them; they stay usable, because some accounts only lack
 * access to a model.
 */
@Injectable()
export class RefusedModels {
  constructor(private readonly database: Database) {}

  /** @param model the provider's own name */
  async note(provider: string, model: string): Promise<void> {
    await this.database.query(REFUSE, [provider, model]);
  }
}

export interface ModelFilter {
  readonly capability?: readonly AiCapability[];
  readonly provider?: readonly string[];
  readonly lifecycle?: readonly Lifecycle[];
}

export type ModelKey = readonly [provider: string, id: string];

/** Of models that the alias `m` names. */
export const MODEL_COLUMNS = `m.provider || '/' || m.id AS model, m.provider, m.name, m.capabilities, m.context_window AS "contextWindow",
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

const MATCHES = `($1::text[] IS NULL OR m.capabilities && $1::text[])
      AND ($2::text[] IS NULL OR m.provider = ANY ($2::text[]))
      AND ($3::text[] IS NULL OR ${lifecycleNow('m')} = ANY ($3::text[]))`;

/** $1 capabilities, $2 providers, $3 lifecycles (null: any), $4 provider and $5 id of the last row before, $6 count */
const PAGE = statement(
  'gateway_list_models',
  `SELECT ${MODEL_COLUMNS} FROM gateway.model m ${MODEL_JOINS}
    WHERE ${MATCHES}
      AND (m.provider, m.id) > ($4, $5)
    ORDER BY m.provider, m.id LIMIT $6`,
);

const COUNT = statement(
  'gateway_count_models',
  `SELECT count(*)::int AS total FROM gateway.model m
    WHERE ${MATCHES}`,
);

/** $1 `provider/model` each */
const NAMED = statement(
  'gateway_named_models',
  `SELECT ${MODEL_COLUMNS}
     FROM (SELECT DISTINCT split_part(name, '/', 1) AS provider, substr(name, strpos(name, '/') + 1) AS id
             FROM unnest($1::text[]) AS name) AS named
     JOIN gateway.model m USING (provider, id) ${MODEL_JOINS}`,
);

/** $1 capability, $2 names or null for all, $3 count */
const USABLE = statement(
  'gateway_usable_models',
  `SELECT ${MODEL_COLUMNS} FROM gateway.model m ${MODEL_JOINS}
    WHERE m.capabilities @> ARRAY[$1] AND ${lifecycleNow('m')} <> 'retired'
      AND ($2::text[] IS NULL OR m.provider || '/' || m.id = ANY ($2::text[]))
    ORDER BY m.provider, m.id LIMIT $3`,
);

/** Reads of the catalog. Prices and lifecycles are those of now. */
@Injectable()
export class ModelsStore {
  constructor(private readonly database: Database) {}

  page(filter: ModelFilter, after: ModelKey | null, count: number): Promise<CatalogModel[]> {
    const [provider, id] = after ?? ['', ''];
    return this.database.query(PAGE, [...valuesOf(filter), provider, id, count]);
  }

  async count(filter: ModelFilter): Promise<number> {
    const [counted] = await this.database.query<{ total: number }>(COUNT, valuesOf(filter));
    return counted?.total ?? 0;
  }

  /** Those of the names that the catalog has, by `provider/model`. */
  async named(
    names: readonly string[],
    executor: Executor = this.database,
  ): Promise<ReadonlyMap<string, CatalogModel>> {
    if (names.length === 0) return new Map();
    const models = await executor.query<CatalogModel>(NAMED, [names]);
    return new Map(models.map((model) => [model.model, model]));
  }

  /** Models for a capability that are not retired. @param names null: all */
  usable(capability: AiCapability, names: readonly string[] | null, limit: number): Promise<CatalogModel[]> {
    return this.database.query(USABLE, [capability, names, limit]);
  }
}

const valuesOf = ({ capability, provider, lifecycle }: ModelFilter) => [
  capability ?? null,
  provider ?? null,
  lifecycle ?? null,
];
