import { Injectable } from '@nestjs/common';
import { ClaimingWorker, ClaimIsLost, type Lane } from '#libs/due-work';
import { MediaIsolationConfig } from '../../isolation/isolation.config.js';
import { withTemporaryFolder } from '../../isolation/temporary-folder.js';
import { type ClaimedRendition, RenditionClaims } from './rendition-claims.store.js';
import { failureOf, isHopeless, kindOfFailure, retryDelay } from './rendition-failures.js';
import { type Made, RenditionMaker } from './rendition-maker.js';
import { RenditionMetrics, type RenditionOutcome } from './rendition.metrics.js';
import { RenditionResults } from './rendition-results.js';

/** Makes the renditions that are due. A result is recorded on the claim that made it, so that a rendition has one object. */
@Injectable()
export class MakeDueRenditions extends ClaimingWorker<ClaimedRendition> {
  constructor(
    private readonly claims: RenditionClaims,
    private readonly maker: RenditionMaker,
    private readonly results: RenditionResults,
    private readonly metrics: RenditionMetrics,
    { processes: size }: MediaIsolationConfig,
  ) {
    const lane = (name: 'fast' | 'slow'): Lane<ClaimedRendition> => ({
      size,
      batch: 1,
      claim: ({ limit, used }) => claims.take(limit, name, used),
    });
    super([lane('fast'), lane('slow')], { renew: (claimed) => claims.renew(claimed) });
  }

  protected async settle(claimed: ClaimedRendition): Promise<void> {
    const ended = this.metrics.starts(claimed);
    let outcome: RenditionOutcome = 'retried';
    try {
      outcome = await this.make(claimed).catch((error: unknown) => this.endClaim(claimed, error));
    } finally {
      ended(outcome);
    }
  }

  private make(claimed: ClaimedRendition): Promise<RenditionOutcome> {
    if (isHopeless(claimed)) return this.record(claimed, GIVEN_UP, '');
    return this.whileClaimed(claimed, (handling) =>
      withTemporaryFolder(async (folder) =>
        this.record(claimed, await this.maker.make(claimed, folder, handling), folder),
      ),
    );
  }

  private async record(claimed: ClaimedRendition, made: Made, folder: string): Promise<RenditionOutcome> {
    const isReady = made.kind === 'rendered';
    const isRecorded = isReady
      ? await this.results.store(claimed, made, folder)
      : await this.results.fail(claimed, made);
    if (!isRecorded) return 'lost';
    return isReady ? 'ready' : 'failed';
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
