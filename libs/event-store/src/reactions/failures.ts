import { compareCursors, type Cursor } from '../domain-event.js';
import type { ReactionOptions } from './reaction.js';

/**
 * Batch size and retries. After a failed batch its events are tried one by one up to the end of that batch, which finds
 * the failing event and commits all before it. Only tries of a single event count towards the limit.
 */
export class Failures {
  last: unknown;
  private singleTries = 0;
  private singleUntil: Cursor | undefined;
  private size: number;

  constructor(private readonly options: ReactionOptions) {
    this.size = options.batchSize;
  }

  /** 1 within a failed batch, reduced after a batch that was too large. */
  batchSize(reached: Cursor): number {
    if (this.singleUntil && compareCursors(reached, this.singleUntil) >= 0) this.reset();
    return this.singleUntil ? 1 : this.size;
  }

  /** @returns milliseconds until the next try */
  record(error: unknown, events: number, end: Cursor): number {
    this.last = error;
    this.singleUntil ??= end;
    this.singleTries = events === 1 ? this.singleTries + 1 : 0;
    return this.singleTries === 0 ? 0 : this.options.backoffMs * 2 ** (this.singleTries - 1);
  }

  succeeded(): void {
    this.singleTries = 0;
    this.size = Math.min(this.size + 1, this.options.batchSize);
  }

  /** Otherwise two slow replicas would take over from each other forever without progress. */
  halveBatch(events: number): void {
    this.size = Math.max(1, Math.floor(events / 2));
  }

  get isFinal(): boolean {
    return this.singleTries >= this.options.tries;
  }

  reset(): void {
    this.singleTries = 0;
    this.singleUntil = undefined;
    this.last = undefined;
  }
}
