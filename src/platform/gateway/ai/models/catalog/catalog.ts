import { Injectable } from '@nestjs/common';
import { type Executor, statement } from '#libs/database';
import { modelRef, type ModelRef } from '../domain/model-ref.js';
import { addedPrices, type DatedPrices } from '../domain/prices.js';
import type { CatalogEntry } from '../sources/catalog-entry.js';
import { seedPrices } from '../sources/genai-prices.js';
import {
  ADD_PRICES,
  ALL_MODELS,
  MARK_MISSING,
  MARK_UNLISTED,
  NEW_MODELS,
  PRICES_OF,
  RECORD,
  REMOVE_LATER_PRICES,
  SET_LIFECYCLES,
  TAKE_TURNS,
} from './catalog.sql.js';

/** Name of the package's prices in `gateway.model_price`. */
export const SEED = 'genai-prices';
/** Name of the open catalog. Others are names of providers. */
export const OPEN_CATALOG = 'catalog';

interface SaidPrices extends ModelRef {
  readonly prices: readonly DatedPrices[];
}

/** The stored catalog. Every method joins the transaction of the executor. */
@Injectable()
export class Catalog {
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
    if (source !== SEED) await recordPrices(executor, source, entries.map(pricesOfEntry));
    await recordPrices(executor, SEED, await seedPricesOf(executor, source === SEED));
  }
}

const pricesOfEntry = ({ provider, id: model, prices }: CatalogEntry): SaidPrices => ({
  provider,
  model,
  prices,
});

/**
 * Prices of the package, by its rules of names, so that calls find the price of a model by its name alone. @param all or only new models
 */
async function seedPricesOf(executor: Executor, all: boolean): Promise<SaidPrices[]> {
  const [sql, values] = all ? [ALL_MODELS, []] : [NEW_MODELS, [SEED]];
  const models = await executor.query<ModelRef>(sql, values);
  return models.map((model) => ({ ...model, prices: seedPrices(model.provider, model.model) ?? [] }));
}

/** Prices that have applied are never changed; those that begin later are as the source says now. */
async function recordPrices(executor: Executor, source: string, said: readonly SaidPrices[]): Promise<void> {
  const priced = said.filter(({ prices }) => prices.length > 0);
  if (priced.length === 0) return;
  const models = priced.map(({ provider, model }) => ({ provider, model }));
  await executor.query(REMOVE_LATER_PRICES, [JSON.stringify(models), source]);
  const rows = await executor.query<ModelRef & DatedPrices>(PRICES_OF, [source]);
  const stored = Map.groupBy(rows, modelRef);
  const [{ now }] = (await executor.query<{ now: Date }>(NOW)) as [{ now: Date }];
  const added = priced.flatMap(({ prices, ...model }) =>
    addedPrices(stored.get(modelRef(model)) ?? [], prices, now).map((dated) => ({ ...model, ...dated })),
  );
  if (added.length > 0) await executor.query(ADD_PRICES, [JSON.stringify(added), source]);
}

const NOW = statement('gateway_now', 'SELECT now() AS now');
