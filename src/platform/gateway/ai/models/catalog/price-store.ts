import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { modelRef, type ModelRef } from '../domain/model-ref.js';
import { addedPrices } from '../domain/price-history.js';
import type { DatedPrices } from '../domain/prices.js';
import { ADD_PRICES, PRICES_OF, REMOVE_LATER_PRICES } from './catalog.sql.js';

/** What a source says of the prices of a model. */
export interface SaidPrices extends ModelRef {
  readonly prices: readonly DatedPrices[];
}

type StoredPrices = ModelRef & DatedPrices;

/** Prices by source and date. Those that have applied are never changed; those that begin later are as the source says now. */
@Injectable()
export class PriceStore {
  /** Joins the transaction of the executor. @param now of the database, for changes without a date */
  async record(executor: Executor, source: string, said: readonly SaidPrices[], now: Date): Promise<void> {
    const priced = said.filter(({ prices }) => prices.length > 0);
    const models = priced.map(({ provider, model }) => ({ provider, model }));
    await executor.query(REMOVE_LATER_PRICES, [JSON.stringify(models), source]);
    const stored = byModel(await executor.query<StoredPrices>(PRICES_OF, [source]));
    const added = priced.flatMap(({ provider, model, prices }) =>
      addedPrices(stored.get(modelRef({ provider, model })) ?? [], prices, now).map((dated) => ({
        provider,
        model,
        ...dated,
      })),
    );
    if (added.length > 0) await executor.query(ADD_PRICES, [JSON.stringify(added), source]);
  }
}

function byModel(rows: readonly StoredPrices[]): ReadonlyMap<string, readonly DatedPrices[]> {
  const models = new Map<string, DatedPrices[]>();
  for (const row of rows) {
    const dated = models.get(modelRef(row)) ?? [];
    models.set(modelRef(row), [...dated, row]);
  }
  return models;
}
