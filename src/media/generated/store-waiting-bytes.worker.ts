import { Injectable } from '@nestjs/common';
import { backoffMs, ClaimIsLost } from '../claims/claim.js';
import { ClaimingWorker } from '../claims/claiming.worker.js';
import { BytesToStore } from './bytes-to-store.js';
import { type ClaimedInTurn, WaitingBytes } from './waiting-bytes.store.js';

/** Each holds a whole file in memory. */
const AT_ONCE = 2;

/** Brings generated files to the object store whose process died, or that the store did not take. */
@Injectable()
export class StoreWaitingBytes extends ClaimingWorker<ClaimedInTurn> {
  constructor(
    private readonly waiting: WaitingBytes,
    private readonly toStore: BytesToStore,
  ) {
    super(waiting, [{ size: AT_ONCE, take: (limit) => waiting.take(limit) }]);
  }

  protected async settle(claimed: ClaimedInTurn): Promise<void> {
    try {
      await this.whileClaimed(claimed, async () => this.toStore.move(claimed));
    } catch (error) {
      if (error instanceof ClaimIsLost) return;
      this.logger.warn(
        error,
        `Generated file ${claimed.mediaId} waits for the object store. It is tried again.`,
      );
      await this.waiting
        .release(claimed, { dueInMs: backoffMs(claimed.attempts) })
        .catch((failure: unknown) =>
          this.logger.warn(failure, 'A claim of waiting bytes ends with its lease.'),
        );
    }
  }
}
