import { Injectable } from '@nestjs/common';
import { isDataError } from '#libs/database';
import { ClaimingWorker, ClaimIsLost, type Lane } from '#libs/due-work';
import { MediaIsolationConfig } from '../isolation/isolation.config.js';
import { withTemporaryFolder } from '../isolation/temporary-folder.js';
import type { InspectionResult } from './domain/inspection.types.js';
import { type ClaimedInspection, InspectionClaims } from './inspection-claims.store.js';
import { isHopeless, kindOfFailure, retryDelay } from './inspection-failures.js';
import { InspectionResults } from './inspection-results.js';
import { type InspectionEnd, InspectionMetrics } from './inspection.metrics.js';
import { Inspector, UNINSPECTABLE } from './inspector.js';

/** Inspects uploaded files. The first outcome of a file is its only one. */
@Injectable()
export class InspectDueFiles extends ClaimingWorker<ClaimedInspection> {
  constructor(
    private readonly claims: InspectionClaims,
    private readonly inspector: Inspector,
    private readonly results: InspectionResults,
    private readonly metrics: InspectionMetrics,
    config: MediaIsolationConfig,
  ) {
    // One more than there are processes: its pictures are stored while the next file is inspected.
    const lane = (name: 'fast' | 'slow', size: number): Lane<ClaimedInspection> => ({
      size,
      batch: 1,
      claim: ({ limit, used }) => claims.take(limit, name, used),
    });
    super([lane('fast', config.processes + 1), lane('slow', config.processes)], {
      renew: (claimed) => claims.renew(claimed),
    });
  }

  protected async settle(claimed: ClaimedInspection): Promise<void> {
    const ended = this.metrics.starts();
    try {
      ended(await this.inspect(claimed));
    } catch (error) {
      ended(error instanceof ClaimIsLost ? 'lost' : 'retried');
      await this.giveBack(claimed, error);
    }
  }

  private inspect(claimed: ClaimedInspection): Promise<InspectionEnd> {
    return this.whileClaimed(claimed, (handling) =>
      withTemporaryFolder(async (folder) => {
        const result = isHopeless(claimed)
          ? UNINSPECTABLE
          : await this.inspector.inspect(claimed, folder, handling);
        return this.record(claimed, result, folder);
      }),
    );
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

  private async giveBack(claimed: ClaimedInspection, error: unknown): Promise<void> {
    const kind = kindOfFailure(error);
    if (kind !== 'none')
      this.logger.warn(error, `File ${claimed.id} could not be inspected. It is tried again later.`);
    const dueInMs = retryDelay(kind, claimed);
    const [failures, errors] = [kind === 'file' ? 1 : 0, kind === 'error' ? 1 : 0];
    await this.claims.release(claimed, { dueInMs, failures, errors });
  }
}
