import type { Gauge } from 'prom-client';

/** How long a page waits for values. Prometheus allows 10 s for a whole page by default. */
export const COLLECTION_MS = 3_000;

/** Gauges whose values are read together before each page. */
export class Collection {
  private running?: Promise<void>;

  constructor(
    readonly name: string,
    private readonly gauges: readonly Gauge<string>[],
    private readonly read: () => Promise<void>,
  ) {}

  /**
   * Never throws, never takes longer than `COLLECTION_MS`. A page joins a read that still runs, so that queries to a
   * frozen database do not pile up.
   * @returns whether the values are current; otherwise they are removed
   */
  async collect(): Promise<boolean> {
    this.running ??= this.read().finally(() => (this.running = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${this.name} was not read in time`)), COLLECTION_MS);
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

/** `reset` alone leaves a 0 for gauges without labels, which would look like a value. */
function forget(gauge: Gauge<string>): void {
  gauge.reset();
  gauge.remove({});
}
