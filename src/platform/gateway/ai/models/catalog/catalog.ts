import { Injectable } from '@nestjs/common';
import { type Executor, statement } from '#libs/database';
import type { CatalogEntry } from '../sources/catalog-entry.js';
import { seedPrices } from '../sources/genai-prices.js';
import {
  ALL_MODELS,
  MARK_MISSING,
  MARK_UNLISTED,
  NEW_MODELS,
  RECORD,
  SET_LIFECYCLES,
  TAKE_TURNS,
} from './catalog.sql.js';
import { PriceStore } from './price-store.js';

/** Name of the package's prices in `gateway.model_price`. */
export const SEED = 'genai-prices';
/** Name of the open catalog. Others are names of providers. */
export const OPEN_CATALOG = 'catalog';

/** The stored catalog. Every method joins the transaction of the executor. */
@Injectable()
export class Catalog {
  constructor(private readonly prices: PriceStore) {}

  /**
   * Stores what one complete reading of a source says. Models of the source that it does not contain are marked as missing, never
   * deleted.
   * @param providers that the reading covers
   */
  async record(
    executor: Executor,
    source: string,
    providers: readonly string[],
    entries: readonly CatalogEntry[],
  ): Promise<void> {
    const served = entries.filter(({ capabilities }) => capabilities !== null);
    const said = served.map(({ prices: _, ...entry }) => entry);
    const isProvider = source !== SEED && source !== OPEN_CATALOG;
    await executor.query(TAKE_TURNS);
    await executor.query(RECORD, [JSON.stringify(said), source, isProvider]);
    await executor.query(MARK_MISSING, [source, providers]);
    if (isProvider) await executor.query(MARK_UNLISTED, [source]);
    await executor.query(SET_LIFECYCLES);
    if (source === SEED) await this.priceBySeed(executor, true);
    else await this.priceObserved(executor, source, entries);
  }

  /** Prices of a source other than the package, and the package's for models that it names first. */
  private async priceObserved(
    executor: Executor,
    source: string,
    entries: readonly CatalogEntry[],
  ): Promise<void> {
    const said = entries.filter(({ prices }) => prices.length > 0);
    const prices = said.map((entry) => ({ provider: entry.provider, model: entry.id, prices: entry.prices }));
    await this.prices.record(executor, source, prices, await now(executor));
    await this.priceBySeed(executor, false);
  }

  /** By the package's rules of names, so that calls find the price of a model by its name alone. @param all or only new models */
  private async priceBySeed(executor: Executor, all: boolean): Promise<void> {
    const [sql, values] = all ? [ALL_MODELS, []] : [NEW_MODELS, [SEED]];
    const models = await executor.query<{ provider: string; id: string }>(sql, values);
    const said = models.flatMap(({ provider, id }) => {
      const prices = seedPrices(provider, id);
      return prices ? [{ provider, model: id, prices }] : [];
    });
    if (said.length > 0) await this.prices.record(executor, SEED, said, await now(executor));
  }
}

const NOW = statement('gateway_now', 'SELECT now() AS now');

async function now(executor: Executor): Promise<Date> {
  const [row] = await executor.query<{ now: Date }>(NOW);
  return (row as { now: Date }).now;
}
