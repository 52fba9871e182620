import type { Cursor } from '../cursor.js';
import { compareCursors } from '../cursor.js';
import type { ReactionOptions } from './reaction.js';

/**
 * How many events to take at once, and what to do about a batch that failed: its events are tried one by one until the
 * end of that batch, so that the one to blame is known and everything before it counts. Only tries of a single event are
 * counted.
 */
export class Failures {
  last: unknown;
  private alone = 0;
  private until: Cursor | undefined;
  private atOnce: number;

  constructor(private readonly options: ReactionOptions) {
    this.atOnce = options.batchSize;
  }

  /** 1 while going through a batch that failed, fewer than usual after one that was too large. */
  batchSize(reached: Cursor): number {
    if (this.until && compareCursors(reached, this.until) >= 0) this.forget();
    return this.until ? 1 : this.atOnce;
  }

  /** @returns milliseconds to wait before the next try. */
  record(error: unknown, events: number, end: Cursor): number {
    this.last = error;
    this.until ??= end;
    this.alone = events === 1 ? this.alone + 1 : 0;
    return this.alone === 0 ? 0 : this.options.backoffMs * 2 ** (this.alone - 1);
  }

  succeeded(): void {
    this.alone = 0;
    this.atOnce = Math.min(this.atOnce + 1, this.options.batchSize);
  }

  /** Otherwise two replicas that are both too slow would take over from each other for ever, and none get ahead. */
  wereTooMany(events: number): void {
    this.atOnce = Math.max(1, Math.floor(events / 2));
  }

  get isFinal(): boolean {
    return this.alone >= this.options.tries;
  }

  forget(): void {
    this.alone = 0;
    this.until = undefined;
    this.last = undefined;
  }
}
