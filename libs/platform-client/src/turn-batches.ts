/** Limits of one exchange. */
export interface BatchLimits {
  readonly items: number;
  /** Of the items together. One item alone may have more. */
  readonly bytes: number;
}

interface Gathered<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers what is asked in one turn of the event loop into few exchanges. No result outlives its exchange. */
export class TurnBatches<Item, Result> {
  private gathered: Gathered<Item, Result>[] = [];

  /** @param exchange returns for each item, in their order, a function that returns its result or throws */
  constructor(
    private readonly limits: BatchLimits,
    private readonly exchange: (items: readonly [Item, ...Item[]]) => Promise<readonly (() => Result)[]>,
  ) {}

  ask(item: Item, bytes: number): Promise<Result> {
    if (this.gathered.length === 0) setImmediate(() => this.flush());
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.gathered.push({ item, bytes, resolve, reject });
    return promise;
  }

  private flush(): void {
    const gathered = this.gathered;
    this.gathered = [];
    let batch: Gathered<Item, Result>[] = [];
    let bytes = 0;
    for (const next of gathered) {
      const isFull = batch.length >= this.limits.items || bytes + next.bytes > this.limits.bytes;
      if (isFull && batch.length > 0) {
        void this.send(batch);
        [batch, bytes] = [[], 0];
      }
      batch.push(next);
      bytes += next.bytes;
    }
    void this.send(batch);
  }

  private async send(batch: readonly Gathered<Item, Result>[]): Promise<void> {
    const items = batch.map(({ item }) => item) as [Item, ...Item[]];
    try {
      const results = await this.exchange(items);
      for (const [index, { resolve, reject }] of batch.entries()) {
        try {
          resolve((results[index] as () => Result)());
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
