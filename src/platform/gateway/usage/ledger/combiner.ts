import { isPassing } from '#libs/database';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs calls together: those of one turn of the event loop, and those that arrive while a run lasts, share the next run. A call that
 * is alone waits for no other.
 */
export class Combiner<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private isRunning = false;

  /**
   * @param run gives one result for each item, in their order. It must not depend on the context of a caller.
   * @param most items of one run
   */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isRunning) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.isRunning = true;
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) await this.runTogether(this.waiting.splice(0, this.most));
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
