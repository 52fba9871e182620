import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import { longRunning } from '#libs/database';

/** A sweep that is ticked, and that ends before the tools it works with are closed. What one pass leaves is the next one's. */
export abstract class PeriodicSweep implements BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private running: Promise<void> | undefined;
  private stopping = false;

  /** The service is about to end: a pass begins nothing more that can wait. */
  protected get isStopping(): boolean {
    return this.stopping;
  }

  /** Runs `work`, its statements with the long time limit, unless a pass still runs. Resolves when the one that runs has ended; never rejects, a failure is logged. */
  protected async pass(work: () => Promise<unknown>): Promise<void> {
    if (!this.stopping) this.running ??= this.run(work).finally(() => (this.running = undefined));
    await this.running;
  }

  /** Begins no further pass; resolves when the one that runs has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async run(work: () => Promise<unknown>): Promise<void> {
    try {
      await longRunning(work);
    } catch (error) {
      this.logger.warn(error, 'The sweep did not finish; the next one goes on.');
    }
  }
}
