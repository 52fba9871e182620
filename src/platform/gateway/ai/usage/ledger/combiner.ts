import { isTransient } from '#libs/database';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface CombinerLimits {
  /** Items of one run. */
  readonly most: number;
  /** Runs at one time. */
  readonly runs: number;
  /** How long a run waits for further calls, in milliseconds; 0: it begins at once. */
  readonly gatherMs: number;
}

/**
 * Runs calls together, in their order: those that arrive while no further run may begin share the next one.
 *
 * A run answers all of its calls at one time. Callers that repeat their calls stay together from then on, and wait for each other
 * again each time. So with several runs, a call whose run can begin at once waits for no other call.
 */
export class Combiner<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private running = 0;

  /** @param run gives one result for each item, in their order. It must not depend on the context of a caller. */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: CombinerLimits,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.running < this.limits.runs) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    const { most, gatherMs } = this.limits;
    this.running += 1;
    while (this.waiting.length > 0) {
      if (gatherMs > 0) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      await this.runTogether(this.waiting.splice(0, most));
    }
    // In the same turn as the check: a call that is added later starts again.
    this.running -= 1;
  }

  /** An item that cannot be stored does not fail the others: after such an error each runs alone. */
  private async runTogether(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && !isTransient(error)) for (const one of batch) await this.runTogether([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
