import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import { isDataError } from '#libs/database';
import { DueLoop } from '#libs/due-work';
import { MediaIsolationConfig } from '../isolation/isolation.config.js';
import { withTemporaryFolder } from '../isolation/temporary-folder.js';
import type { InspectionResult } from './domain/inspection.types.js';
import type { ClaimedInspection } from './inspection-claims.store.js';
import { InspectionClaims, RENEW_EVERY_MS } from './inspection-claims.store.js';
import { ClaimIsLost, isHopeless, IsStopping, kindOfFailure, retryDelay } from './inspection-failures.js';
import { InspectionResults } from './inspection-results.js';
import type { InspectionEnd } from './inspection.metrics.js';
import { InspectionMetrics } from './inspection.metrics.js';
import { Inspector, UNINSPECTABLE } from './inspector.js';

/**
 * Inspects uploaded files. Any number of workers may run: a claim is a lease that is renewed during the inspection. When a worker
 * dies, another one claims the file after the lease. The first outcome of a file is its only one.
 */
@Injectable()
export class InspectDueFiles implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(InspectDueFiles.name);
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly loop = new DueLoop({
    run: () => this.run(),
    onError: (error) => this.logger.error(error, 'Inspections could not be claimed. They are tried again.'),
  });

  constructor(
    private readonly claims: InspectionClaims,
    private readonly inspector: Inspector,
    private readonly results: InspectionResults,
    private readonly metrics: InspectionMetrics,
    private readonly config: MediaIsolationConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Ends the child processes and gives back what they were inspecting. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new IsStopping());
    await this.loop.stop();
    await Promise.all(this.running);
  }

  /** One more than there are processes: its pictures are stored while the next file is inspected. */
  private async run(): Promise<number> {
    const free = this.config.processes + 1 - this.running.size;
    if (free > 0 && !this.stopping.signal.aborted)
      for (const claimed of await this.claims.take(free)) this.track(this.settle(claimed));
    return Infinity;
  }

  private track(work: Promise<void>): void {
    this.running.add(work);
    void work.finally(() => {
      this.running.delete(work);
      this.loop.wake();
    });
  }

  /** Never throws. */
  private async settle(claimed: ClaimedInspection): Promise<void> {
    const ended = this.metrics.starts();
    try {
      ended(await this.inspect(claimed));
    } catch (error) {
      ended(error instanceof ClaimIsLost ? 'lost' : 'retried');
      await this.giveBack(claimed, error);
    }
  }

  private async inspect(claimed: ClaimedInspection): Promise<InspectionEnd> {
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.stopping.signal]);
    const renewing = setInterval(() => void this.renew(claimed, lost), RENEW_EVERY_MS);
    try {
      return await withTemporaryFolder(async (folder) => {
        const result = isHopeless(claimed)
          ? UNINSPECTABLE
          : await this.inspector.inspect(claimed, folder, signal);
        return this.record(claimed, result, folder);
      });
    } finally {
      clearInterval(renewing);
    }
  }

  /** What the database refuses as a value, it refuses each time. */
  private async record(
    claimed: ClaimedInspection,
    result: InspectionResult,
    folder: string,
  ): Promise<InspectionEnd> {
    try {
      return (await this.results.record(claimed, result, folder)) ? result.kind : 'lost';
    } catch (error) {
      if (!isDataError(error) || result === UNINSPECTABLE) throw error;
      this.logger.warn(error, `Facts of file ${claimed.id} cannot be stored. The file is rejected.`);
      return this.record(claimed, UNINSPECTABLE, folder);
    }
  }

  /** A failed renewal is repeated: the lease outlives several. */
  private async renew(claimed: ClaimedInspection, lost: AbortController): Promise<void> {
    try {
      if (!(await this.claims.renew(claimed))) lost.abort(new ClaimIsLost());
    } catch (error) {
      this.logger.warn(error, 'A claim of an inspection could not be renewed. It is tried again.');
    }
  }

  /** Never throws: a claim that cannot be given back ends with its lease. */
  private async giveBack(claimed: ClaimedInspection, error: unknown): Promise<void> {
    const kind = kindOfFailure(error);
    if (kind !== 'none')
      this.logger.warn(error, `File ${claimed.id} could not be inspected. It is tried again later.`);
    const dueInMs = retryDelay(kind, claimed);
    await this.claims
      .release(claimed, { dueInMs, failures: kind === 'file' ? 1 : 0, errors: kind === 'error' ? 1 : 0 })
      .catch((failure: unknown) =>
        this.logger.warn(failure, 'A claim of an inspection ends with its lease.'),
      );
  }
}
