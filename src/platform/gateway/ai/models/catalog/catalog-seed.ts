import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import { AI_PROVIDER_NAMES } from '../../../credentials/providers.js';
import { seed, SEED_VERSION } from '../sources/genai-prices.js';
import { Catalog, SEED } from './catalog.js';

const OLDER = `(version IS NULL OR string_to_array(version, '.')::int[] < string_to_array($2, '.')::int[])`;

/** A row: the stored seed is as new. $1 source, $2 version */
const IS_CURRENT = statement(
  'gateway_seed_is_current',
  `SELECT FROM gateway.catalog_source WHERE name = $1 AND NOT ${OLDER}`,
);

/** Locks the source until the end of the transaction. A row: the seed is to be stored. $1 source, $2 version, $3 models */
const CLAIM = statement(
  'gateway_claim_seed',
  `INSERT INTO gateway.catalog_source AS s (name, version, attempted_at, succeeded_at, outcome, models)
   VALUES ($1, $2, now(), now(), 'done', $3)
   ON CONFLICT (name) DO UPDATE SET version = $2, attempted_at = now(), succeeded_at = now(), outcome = 'done', models = $3
    WHERE ${OLDER.replaceAll('version', 's.version')}
   RETURNING name`,
);

/**
 * Stores the models and prices of the package at the first start with its version: the catalog needs no network. Replicas that start
 * together wait for the first; one with an older version, during a rolling release, changes nothing.
 */
@Injectable()
export class CatalogSeed implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly catalog: Catalog,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const [current] = await this.database.query<object>(IS_CURRENT, [SEED, SEED_VERSION]);
    if (!current) await this.database.transaction((transaction) => this.store(transaction));
  }

  private async store(executor: Executor): Promise<void> {
    const { entries } = seed();
    const served = entries.filter(({ capabilities }) => capabilities !== null);
    const [claimed] = await executor.query<object>(CLAIM, [SEED, SEED_VERSION, served.length]);
    if (claimed) await this.catalog.record(executor, SEED, AI_PROVIDER_NAMES, entries);
  }
}
