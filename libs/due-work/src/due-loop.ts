import { Alarm } from '#libs/clock';

export interface DueLoopOptions {
  /**
   * Processes all due work.
   * @returns milliseconds, by the database's clock, until the next due work: 0 or less for "at once",
   * Infinity when none is known.
   */
  readonly run: () => Promise<number>;
  /** Longest sleep without failures: the maximum delay of work unknown to `run`. Default 250 ms. */
  readonly pollMs?: number;
  /** Longest sleep after failures; doubles up to it from `pollMs`. Default 5 000 ms. */
  readonly maxBackoffMs?: number;
  readonly onError: (error: unknown) => void;
}

/** Runs due work repeatedly. Sleeps until the due time that `run` returned, at most `pollMs`, or until `wake`. */
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

  /** Ends the sleep. During a run, another run follows at once. */
  wake(): void {
    this.alarm.ring();
  }

  /** Starts no further run. Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.running;
    this.running = undefined;
  }

  private async loop(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      const next = await this.runOnce();
      failures = next === undefined ? failures + 1 : 0;
      if (this.stopping) return;
      if (next === undefined) await this.alarm.sleep(this.backoff(failures));
      else if (next > 0) await this.alarm.sleep(Math.min(next, this.pollMs));
    }
  }

  private async runOnce(): Promise<number | undefined> {
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
