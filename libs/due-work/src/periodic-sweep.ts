import {
  type BeforeApplicationShutdown,
  Inject,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { longRunning } from '#libs/database';

/** A sweep that runs periodically and ends before its dependencies close. The next pass continues where one stops. */
export abstract class PeriodicSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private running: Promise<void> | undefined;
  private stopping = false;
  /** Of services with a schedule. The API has none, and one sweep. */
  @Optional()
  @Inject(SchedulerRegistry)
  private readonly scheduled?: SchedulerRegistry;
  private timer?: NodeJS.Timeout;

  /** @param everyMs milliseconds between the beginnings of two passes */
  constructor(private readonly everyMs: number) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.tick(), this.everyMs).unref();
    this.scheduled?.addInterval(this.constructor.name, this.timer);
  }

  /** One pass, or the end of the running one. Never rejects. */
  tick(): Promise<void> {
    return this.pass(() => this.work());
  }

  abstract sweep(): Promise<unknown>;

  /** The work of a pass. Default: one sweep. */
  protected work(): Promise<unknown> {
    return this.sweep();
  }

  /** The service shuts down: a pass starts no further work that can wait. */
  protected get isStopping(): boolean {
    return this.stopping;
  }

  /**
   * Runs `work` with the long statement timeout, unless a pass still runs. Resolves when the running pass has ended. Never
   * rejects: failures are logged.
   */
  protected async pass(work: () => Promise<unknown>): Promise<void> {
    if (!this.stopping) this.running ??= this.run(work).finally(() => (this.running = undefined));
    await this.running;
  }

  /**
   * Repeats `sweep` until it finds less than `size`, or the service shuts down.
   * @param sweep handles up to `size`. @returns how many in all
   */
  protected async inBatches(size: number, sweep: () => Promise<number>): Promise<number> {
    for (let total = 0; ;) {
      const found = await sweep();
      total += found;
      if (found < size || this.stopping) return total;
    }
  }

  /** Starts no further pass. Resolves when the running one has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  private async run(work: () => Promise<unknown>): Promise<void> {
    try {
      await longRunning(work);
    } catch (error) {
      this.logger.warn(error, 'The sweep failed. The next one continues.');
    }
  }
}
