import { Injectable } from '@nestjs/common';
import { PeriodicSweep } from '#libs/due-work';
import { AsksStore } from './asks.store.js';
import { TrendsStore } from './trends.store.js';

const EVERY_MS = 3_600_000;
/** A trend can be suggested for so long after its source last had it. */
const KEPT_DAYS = 7;
const BATCH = 1_000;

/** Deletes trends that their sources no longer have, and requests that no process repeated. Several replicas share the rows. */
@Injectable()
export class OldTrendsSweep extends PeriodicSweep {
  constructor(
    private readonly store: TrendsStore,
    private readonly asks: AsksStore,
  ) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    await this.inBatches(BATCH, () => this.store.deleteOlder(KEPT_DAYS, BATCH));
    await this.inBatches(BATCH, () => this.asks.deleteOld(BATCH));
  }
}
