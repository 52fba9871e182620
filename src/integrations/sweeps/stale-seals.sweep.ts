import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { PeriodicSweep } from '#libs/due-work';
import { PreparationsStore } from '../preparations/preparations.store.js';
import { TokensStore } from '../tokens/tokens.store.js';
import type { Resealed } from '../tokens/tokens.store.js';

const EVERY_MS = 10 * 60_000;
const BATCH = 100;

/**
 * Has stored tokens sealed with the newest key, so that a former one can go some time after it was replaced. Again and
 * again: while processes are restarted one after the other, some still seal with the former one. Every replica may do it at
 * any time: what another one sealed meanwhile is left alone, so no lease is needed.
 */
@Injectable()
export class StaleSealsSweep extends PeriodicSweep {
  constructor(
    private readonly tokens: TokensStore,
    private readonly preparations: PreparationsStore,
  ) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(async () => {
      const { sealedAnew, unreadable } = await this.sweep();
      const prepared = await this.preparations.reencrypt();
      if (prepared > 0)
        this.logger.log(`The preparations of ${prepared} posts were encrypted with the newest key.`);
      if (sealedAnew > 0)
        this.logger.log(`Tokens of ${sealedAnew} connections were sealed anew with the newest key.`);
      if (unreadable > 0)
        this.logger.warn(`Tokens of ${unreadable} connections cannot be opened with the configured keys.`);
    });
  }

  /** @returns of how many connections. */
  async sweep(): Promise<Omit<Resealed, 'last'>> {
    let [sealedAnew, unreadable] = [0, 0];
    let last: string | null = null;
    do {
      const batch: Resealed = await this.tokens.reseal(last, BATCH);
      sealedAnew += batch.sealedAnew;
      unreadable += batch.unreadable;
      last = batch.last;
    } while (last !== null && !this.isStopping);
    return { sealedAnew, unreadable };
  }
}
