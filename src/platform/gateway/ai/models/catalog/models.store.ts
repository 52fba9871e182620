import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import type { AiCapability } from '../../../access/attribution.js';
import { lifecycleNow } from '../../plan-sql/lifecycle.sql.js';
import type { Lifecycle } from '../domain/lifecycle.js';
import { modelRef } from '../domain/model-ref.js';
import { type CatalogModel, MODEL_COLUMNS, MODEL_JOINS } from './model-row.js';

export interface ModelFilter {
  readonly capability?: readonly AiCapability[];
  readonly provider?: readonly string[];
  readonly lifecycle?: readonly Lifecycle[];
}

/** Position in the order of provider and id. */
export type ModelKey = readonly [provider: string, id: string];

/** $1 capabilities, $2 providers, $3 lifecycles (null: any), $4 provider and $5 id of the last row before, $6 count */
const PAGE = statement(
  'gateway_list_models',
  `SELECT ${MODEL_COLUMNS} FROM gateway.model m ${MODEL_JOINS}
    WHERE ($1::text[] IS NULL OR m.capabilities && $1::text[])
      AND ($2::text[] IS NULL OR m.provider = ANY ($2::text[]))
      AND ($3::text[] IS NULL OR ${lifecycleNow('m')} = ANY ($3::text[]))
      AND (m.provider, m.id) > ($4, $5)
    ORDER BY m.provider, m.id LIMIT $6`,
);

const COUNT = statement(
  'gateway_count_models',
  `SELECT count(*)::int AS total FROM gateway.model m
    WHERE ($1::text[] IS NULL OR m.capabilities && $1::text[])
      AND ($2::text[] IS NULL OR m.provider = ANY ($2::text[]))
      AND ($3::text[] IS NULL OR ${lifecycleNow('m')} = ANY ($3::text[]))`,
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
    return new Map(models.map((model) => [modelRef({ provider: model.provider, model: model.id }), model]));
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
