import type { Cursor } from '../cursor.js';
import { compareCursors } from '../cursor.js';
import type { ReactionOptions } from './reaction.js';

/**
 * What to do about a batch that failed: its events are tried one by one until the end of that batch, so that the
 * one to blame is known and everything before it counts. Only tries of a single event are counted.
 */
export class Failures {
  last: unknown;
  private alone = 0;
  private until: Cursor | undefined;

  constructor(private readonly options: ReactionOptions) {}

  /** 1 while going through a batch that failed. */
  batchSize(reached: Cursor): number {
    if (this.until && compareCursors(reached, this.until) >= 0) this.forget();
    return this.until ? 1 : this.options.batchSize;
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
