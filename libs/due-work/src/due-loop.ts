import { Alarm } from '#libs/clock';

export interface DueLoopOptions {
  /**
   * Does what is due now.
   * @returns milliseconds, by the database's clock, until something is due again: 0 or less for "at once",
   * Infinity when nothing is known.
   */
  readonly run: () => Promise<number>;
  /** Longest sleep while all is well, and so the most that work unknown to `run` can be late. Default 250 ms. */
  readonly pollMs?: number;
  /** Longest sleep after failures; doubles up to it from `pollMs`. Default 5 000 ms. */
  readonly maxBackoffMs?: number;
  readonly onError: (error: unknown) => void;
}

/** Runs due work again and again: sleeps until the next due time it was told, at most `pollMs`, and can be woken. */
export class DueLoop {
  private readonly alarm = new Alarm();
  private readonly pollMs: number;
  private readonly maxBackoffMs: number;
  private running: Promise<void> | undefined;
  private stopping = false;

  constructor(private readonly options: DueLoopOptions) {
    this.pollMs = options.pollMs ?? 250;
    this.maxBackoffMs = options.maxBackoffMs ?? 5_000;
  }

  start(): void {
    this.stopping = false;
    this.running ??= this.loop();
  }

  /** Something may be due now. Called while a run is going on, another run follows at once. */
  wake(): void {
    this.alarm.ring();
  }

  /** Starts nothing more; resolves when the run in flight has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.running;
    this.running = undefined;
  }

  private async loop(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      const next = await this.once();
      failures = next === undefined ? failures + 1 : 0;
      if (this.stopping) return;
      if (next === undefined) await this.alarm.sleep(this.backoff(failures));
      else if (next > 0) await this.alarm.sleep(Math.min(next, this.pollMs));
    }
  }

  private async once(): Promise<number | undefined> {
    try {
      return await this.options.run();
    } catch (error) {
      this.options.onError(error);
      return undefined;
    }
  }

  private backoff(failures: number): number {
    return Math.min(this.maxBackoffMs, this.pollMs * 2 ** (failures - 1));
  }
}
