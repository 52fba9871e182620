import type { Gauge } from 'prom-client';

/** How long a page waits for values; Prometheus itself gives a whole page 10 s unless told otherwise. */
export const COLLECTION_MS = 3_000;

/** Gauges whose values have to be asked for together, before each page. */
export class Collection {
  private running?: Promise<void>;

  constructor(
    readonly name: string,
    private readonly gauges: readonly Gauge<string>[],
    private readonly read: () => Promise<void>,
  ) {}

  /**
   * Never throws, never takes longer than `COLLECTION_MS`. What one page has begun to read is not read again for the next,
   * so that a frozen database does not fill up with questions.
   * @returns whether the values are those of now; otherwise they are gone, rather than be those of earlier
   */
  async collect(): Promise<boolean> {
    this.running ??= this.read().finally(() => (this.running = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${this.name} is not read yet`)), COLLECTION_MS);
    });
    try {
      await Promise.race([this.running, late]);
      return true;
    } catch {
      for (const gauge of this.gauges) forget(gauge);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Resetting alone leaves a 0 where there are no labels, which would read as a value. */
function forget(gauge: Gauge<string>): void {
  gauge.reset();
  gauge.remove({});
}
