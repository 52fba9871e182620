import { isPassing } from '#libs/database';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface CombinerLimits {
  /** Items of one run. */
  readonly most: number;
  /** The part of the waiting calls that a run takes: 1 is all of them, 4 a quarter. */
  readonly part: number;
  /** How long a run waits for further calls, in milliseconds; 0: for those of the turn of the event loop. */
  readonly gatherMs: number;
}

/**
 * Runs calls together, in their order: those of one turn of the event loop, and those that arrive while a run lasts, share the next
 * ones.
 *
 * A run answers all of its calls at one time. Callers that repeat their calls would stay together from then on, and wait for each other
 * again each time. With `part` above 1, calls that arrived together are answered one after another, and are spread over time.
 */
export class Combiner<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private isRunning = false;

  /** @param run gives one result for each item, in their order. It must not depend on the context of a caller. */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: CombinerLimits,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isRunning) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    const { most, part, gatherMs } = this.limits;
    this.isRunning = true;
    while (this.waiting.length > 0) {
      await new Promise((resolve) => (gatherMs > 0 ? setTimeout(resolve, gatherMs) : setImmediate(resolve)));
      const size = Math.min(Math.ceil(this.waiting.length / part), most);
      await this.runTogether(this.waiting.splice(0, size));
    }
    // In the same turn as the check: a call that is added later starts again.
    this.isRunning = false;
  }

  /** An item that cannot be stored does not fail the others: after such an error each runs alone. */
  private async runTogether(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && !isPassing(error)) for (const one of batch) await this.runTogether([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
