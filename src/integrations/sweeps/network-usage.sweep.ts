import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { PeriodicSweep } from '#libs/due-work';
import { NetworkUsageStore } from '../limits/network-usage.store.js';

const EVERY_MS = 10 * 60_000;

/** Deletes counters of network limits whose window is over. Every replica may: a row that another one deletes is skipped. */
@Injectable()
export class NetworkUsageSweep extends PeriodicSweep {
  constructor(private readonly usage: NetworkUsageStore) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.inBatches(NetworkUsageStore.sweptAtOnce, () => this.usage.sweep()));
  }
}
