import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DeliveryPaceConfig } from './delivery-pace.config.js';

const FIRST_BACKOFF_MS = 250;

/** Number of calls without effect in one attempt, and the pauses between them. */
@Injectable()
export class DeliveryPace {
  constructor(private readonly config: DeliveryPaceConfig) {}

  get calls(): number {
    return this.config.calls;
  }

  /** Milliseconds after the n-th call: 250, 1000, 4000 … */
  backoff(call: number): number {
    return this.scaled(FIRST_BACKOFF_MS * 4 ** (call - 1));
  }

  scaled(milliseconds: number): number {
    return milliseconds * this.config.waitScale;
  }

  async wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds);
  }
}
