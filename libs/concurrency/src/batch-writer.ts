interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchLimits<Item> {
  /** Items of one batch. */
  readonly maxBatch: number;
  /** Batches at one time. */
  readonly concurrency: number;
  /** How long a batch waits for further items: milliseconds (0: it begins at once), or the rest of this turn of the event loop. */
  readonly linger: number | 'turn';
  /** Limit of the items of a batch together, such as bytes. One item alone may have more. */
  readonly weight?: { readonly max: number; readonly of: (item: Item) => number };
  /** Whether an error concerns the whole batch. After any other error each of its items runs alone. */
  readonly failsTogether: (error: unknown) => boolean;
}

/**
 * Runs items together, in their order: those that arrive while no further batch may begin share the next one. Nothing is cached.
 *
 * A batch answers all of its items at one time. Callers that repeat their calls stay together from then on, and wait for each other
 * again each time. So with several batches, an item whose batch can begin at once waits for no other item.
 */
export class BatchWriter<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private lingers = false;

  /** @param run gives one result for each item, in their order. It must not depend on the context of a caller. */
  constructor(
    private readonly run: (items: readonly [Item, ...Item[]]) => Promise<readonly Result[]>,
    private readonly limits: BatchLimits<Item>,
  ) {}

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.waiting.push({ item, resolve, reject });
    this.begin();
    return promise;
  }

  private begin(): void {
    const { concurrency, linger } = this.limits;
    if (this.waiting.length === 0 || this.lingers || this.running >= concurrency) return;
    if (linger === 0) return void this.runNext();
    this.lingers = true;
    const start = () => {
      this.lingers = false;
      void this.runNext();
    };
    if (linger === 'turn') setImmediate(start);
    else setTimeout(start, linger);
  }

  private async runNext(): Promise<void> {
    this.running += 1;
    const batch = this.waiting.splice(0, this.sizeOfNext());
    this.begin();
    await this.runTogether(batch);
    this.running -= 1;
    this.begin();
  }

  private sizeOfNext(): number {
    const { maxBatch, weight } = this.limits;
    const most = Math.min(this.waiting.length, maxBatch);
    if (!weight) return most;
    let sum = 0;
    const tooMuch = this.waiting.findIndex(({ item }, index) => {
      sum += weight.of(item);
      return index > 0 && sum > weight.max;
    });
    return tooMuch === -1 ? most : Math.min(most, tooMuch);
  }

  private async runTogether(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item) as [Item, ...Item[]]);
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      const runsAlone = batch.length > 1 && !this.limits.failsTogether(error);
      if (runsAlone) for (const one of batch) await this.runTogether([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
