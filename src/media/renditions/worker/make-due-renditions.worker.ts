import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import { DueLoop } from '#libs/due-work';
import { MediaIsolationConfig } from '../../isolation/isolation.config.js';
import { withTemporaryFolder } from '../../isolation/temporary-folder.js';
import type { ClaimedRendition } from './rendition-claims.store.js';
import { RENEW_EVERY_MS, RenditionClaims } from './rendition-claims.store.js';
import type { Made } from './rendition-maker.js';
import {
  ClaimIsLost,
  failureOf,
  isHopeless,
  IsStopping,
  kindOfFailure,
  retryDelay,
} from './rendition-failures.js';
import { RenditionMaker } from './rendition-maker.js';
import type { RenditionOutcome } from './rendition.metrics.js';
import { RenditionMetrics } from './rendition.metrics.js';
import { RenditionResults } from './rendition-results.js';

/**
 * Makes the renditions that are due. Any number of workers may run: a claim is a lease that is renewed while a child process makes the
 * rendition. When a worker dies, another one claims the rendition after the lease. A result is recorded on the claim that made it, so that a
 * rendition has one object.
 */
@Injectable()
export class MakeDueRenditions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MakeDueRenditions.name);
  /** A video takes minutes and delays no picture. */
  private readonly lanes = { pictures: new Set<Promise<void>>(), videos: new Set<Promise<void>>() };
  private readonly stopping = new AbortController();
  private readonly loop = new DueLoop({
    run: () => this.run(),
    onError: (error) => this.logger.error(error, 'Renditions could not be claimed. They are tried again.'),
  });

  constructor(
    private readonly claims: RenditionClaims,
    private readonly maker: RenditionMaker,
    private readonly results: RenditionResults,
    private readonly metrics: RenditionMetrics,
    private readonly config: MediaIsolationConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Ends the child processes and gives back what they were making. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new IsStopping());
    await this.loop.stop();
    await Promise.all([...this.lanes.pictures, ...this.lanes.videos]);
  }

  /** @returns milliseconds until it is worth running again */
  private async run(): Promise<number> {
    for (const of of ['pictures', 'videos'] as const) {
      const lane = this.lanes[of];
      const free = this.config.processes - lane.size;
      if (free <= 0 || this.stopping.signal.aborted) continue;
      for (const each of await this.claims.take(free, of)) this.track(this.settle(each), lane);
    }
    return Infinity;
  }

  private track(work: Promise<void>, lane: Set<Promise<void>>): void {
    lane.add(work);
    void work.finally(() => {
      lane.delete(work);
      this.loop.wake();
    });
  }

  /** Never throws. */
  private async settle(claimed: ClaimedRendition): Promise<void> {
    const ended = this.metrics.starts(claimed);
    try {
      ended(await this.make(claimed));
    } catch (error) {
      ended(await this.afterError(claimed, error));
    }
  }

  private async make(claimed: ClaimedRendition): Promise<RenditionOutcome> {
    if (isHopeless(claimed)) return this.record(claimed, GIVEN_UP, '');
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.stopping.signal]);
    const renewing = setInterval(() => void this.renew(claimed, lost), RENEW_EVERY_MS);
    try {
      return await withTemporaryFolder(async (folder) => {
        const made = await this.maker.make(claimed, folder, signal);
        return this.record(claimed, made, folder);
      });
    } finally {
      clearInterval(renewing);
    }
  }

  private async record(claimed: ClaimedRendition, made: Made, folder: string): Promise<RenditionOutcome> {
    const isReady = made.kind === 'rendered';
    const isRecorded = isReady
      ? await this.results.store(claimed, made, folder)
      : await this.results.fail(claimed, made);
    if (!isRecorded) return 'lost';
    return isReady ? 'ready' : 'failed';
  }

  /** A failed renewal is repeated: the lease outlives several. */
  private async renew(claimed: ClaimedRendition, lost: AbortController): Promise<void> {
    try {
      if (!(await this.claims.renew(claimed))) lost.abort(new ClaimIsLost());
    } catch (error) {
      this.logger.warn(error, 'A claim of a rendition could not be renewed. It is tried again.');
    }
  }

  /** Never throws: a claim that cannot be ended ends with its lease. */
  private async afterError(claimed: ClaimedRendition, error: unknown): Promise<RenditionOutcome> {
    try {
      return await this.endClaim(claimed, error);
    } catch (failure) {
      this.logger.warn(failure, 'A claim of a rendition ends with its lease.');
      return 'retried';
    }
  }

  private async endClaim(claimed: ClaimedRendition, error: unknown): Promise<RenditionOutcome> {
    if (error instanceof ClaimIsLost) return 'lost';
    const dueInMs = retryDelay(error, claimed);
    if (dueInMs === null) {
      this.logger.warn(error, `Rendition ${claimed.id} cannot be made. It is given up.`);
      return this.record(claimed, { kind: 'failed', ...failureOf(error) }, '');
    }
    const kind = kindOfFailure(error);
    if (kind !== 'none')
      this.logger.warn(error, `Rendition ${claimed.id} could not be made. It is tried again later.`);
    const [failures, errors] = [kind === 'process' ? 1 : 0, kind === 'error' ? 1 : 0];
    await this.claims.release(claimed, { dueInMs, failures, errors });
    return 'retried';
  }
}

const GIVEN_UP: Made = {
  kind: 'failed',
  code: 'not_readable',
  message: 'Workers ended each time they made this rendition. Export the file again.',
};
