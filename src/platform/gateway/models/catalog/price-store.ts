import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import type { ModelRef } from '../model-ref.js';
import { modelRef } from '../model-ref.js';
import { priceChanges } from '../price-history.js';
import type { DatedPrices } from '../prices.js';
import { ADD_PRICES, PRICES_OF, REMOVE_PRICES } from './catalog.sql.js';

/** What a source says of the prices of a model. */
export interface SaidPrices extends ModelRef {
  readonly prices: readonly DatedPrices[];
}

type StoredPrices = ModelRef & DatedPrices;

/** Prices by source and date. Those that have applied are never changed. */
@Injectable()
export class PriceStore {
  /** Joins the transaction of the executor. @param now of the database, for changes without a date */
  async record(executor: Executor, source: string, said: readonly SaidPrices[], now: Date): Promise<void> {
    const stored = byModel(await executor.query<StoredPrices>(PRICES_OF, [source]));
    const changes = said.map((model) => ({
      model,
      ...priceChanges(stored.get(modelRef(model)) ?? [], model.prices, now),
    }));
    const removed = changes.flatMap(({ model, removed: starts }) =>
      starts.map((startsAt) => ({ provider: model.provider, model: model.model, startsAt })),
    );
    const added = changes.flatMap(({ model, added: dated }) =>
      dated.map((one) => ({ provider: model.provider, model: model.model, ...one })),
    );
    if (removed.length > 0) await executor.query(REMOVE_PRICES, [JSON.stringify(removed), source]);
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
