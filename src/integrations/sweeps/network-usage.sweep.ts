import { Injectable } from '@nestjs/common';
import { PeriodicSweep } from '#libs/due-work';
import { NetworkUsageStore } from '../limits/network-usage.store.js';

/** A pass looks at about a thousand counters, and the next one goes on behind them. */
const EVERY_MS = 60_000;

/** Deletes counters of network limits whose window is over. Every replica may: a row that another one deletes is skipped. */
@Injectable()
export class NetworkUsageSweep extends PeriodicSweep {
  private next = 0;

  constructor(private readonly usage: NetworkUsageStore) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    this.next = await this.usage.sweep(this.next);
  }
}
