import { Injectable } from '@nestjs/common';
import { ClaimIsLost, ClaimingWorker } from '#libs/due-work';
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
    super([{ size: AT_ONCE, batch: 1, claim: ({ limit, used }) => waiting.take(limit, used) }], {
      renew: (claimed) => waiting.renew(claimed),
    });
  }

  protected async settle(claimed: ClaimedInTurn): Promise<void> {
    try {
      await this.whileClaimed(claimed, () => this.toStore.move(claimed));
    } catch (error) {
      if (error instanceof ClaimIsLost) return;
      this.logger.warn(
        error,
        `Generated file ${claimed.mediaId} waits for the object store. It is tried again.`,
      );
      await this.waiting.release(claimed);
    }
  }
}
