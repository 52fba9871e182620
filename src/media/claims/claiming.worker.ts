import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DueLoop } from '#libs/due-work';
import { withTemporaryFolder } from '../isolation/temporary-folder.js';
import { ClaimIsLost, IsStopping, RENEW_EVERY_MS } from './claim.js';

/** Work that delays no work of other lanes. */
export interface Lane<Claimed> {
  /** Claims at the same time. */
  readonly size: number;
  /** Claims up to `limit` rows that are due. */
  readonly take: (limit: number) => Promise<readonly Claimed[]>;
}

interface Claims<Claimed> {
  /** @returns false when the claim is lost */
  renew(claimed: Claimed): Promise<boolean>;
  /** The work on it has ended, with its outcome or without. */
  ended?(claimed: Claimed): void;
}

/**
 * Claims rows that are due, and works on each in a temporary folder. Any number of workers may run: a claim is a lease that is renewed
 * during the work. When a worker dies, another one claims the row after the lease.
 */
export abstract class ClaimingWorker<Claimed> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly lanes: readonly (Lane<Claimed> & { readonly running: Set<Promise<void>> })[];
  private readonly stopping = new AbortController();
  private readonly loop = new DueLoop({
    run: () => this.run(),
    onError: (error) => this.logger.error(error, 'Due files could not be claimed. They are tried again.'),
  });

  protected constructor(
    private readonly leases: Claims<Claimed>,
    lanes: readonly Lane<Claimed>[],
  ) {
    this.lanes = lanes.map(({ size, take }) => ({ size, take, running: new Set() }));
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Ends the child processes and gives back what they were working on. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new IsStopping());
    await this.loop.stop();
    await Promise.all(this.lanes.flatMap(({ running }) => [...running]));
  }

  /** Ends the claim, with an outcome or without. Never throws. */
  protected abstract settle(claimed: Claimed): Promise<void>;

  /**
   * Runs `work` while the claim is renewed.
   * @throws ClaimIsLost, IsStopping and what `work` throws
   */
  protected async whileClaimed<T>(
    claimed: Claimed,
    work: (folder: string, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.stopping.signal]);
    const renewing = setInterval(() => void this.renew(claimed, lost), RENEW_EVERY_MS);
    try {
      return await withTemporaryFolder((folder) => work(folder, signal));
    } finally {
      clearInterval(renewing);
    }
  }

  /** @returns milliseconds until it is worth running again */
  private async run(): Promise<number> {
    for (const { size, take, running } of this.lanes) {
      const free = size - running.size;
      if (free <= 0 || this.stopping.signal.aborted) continue;
      for (const claimed of await take(free)) this.track(claimed, running);
    }
    return Infinity;
  }

  private track(claimed: Claimed, running: Set<Promise<void>>): void {
    const work = this.settle(claimed);
    running.add(work);
    void work.finally(() => {
      running.delete(work);
      this.leases.ended?.(claimed);
      this.loop.wake();
    });
  }

  /** A failed renewal is repeated: the lease outlives several. */
  private async renew(claimed: Claimed, lost: AbortController): Promise<void> {
    try {
      if (!(await this.leases.renew(claimed))) lost.abort(new ClaimIsLost());
    } catch (error) {
      this.logger.warn(error, 'A claim could not be renewed. It is tried again.');
    }
  }
}
