import { Injectable, Logger } from '@nestjs/common';
import { ClaimIsLost } from '#libs/due-work';
import { DomainError } from '#libs/errors';
import type { AiResult, ImagesResult } from '#libs/platform-client';
import { type Alongside, DrawImage, type GeneratedImage } from './draw-image.js';
import { ImageIsStillDrawn } from '../image.errors.js';
import { ImageMemory, type ReserveMemory } from './image-limits.js';
import { imageIn, isOutcome, isUnpaid } from './image-results.js';
import { type ClaimedImage, KeyedImagesStore } from '../keyed-images.store.js';

interface HowToFinish {
  /** No earlier call with the key can have reached the gateway. */
  readonly isFirst: boolean;
  readonly alongside: Alongside;
  /** Called when no provider was paid. */
  readonly giveBack?: () => void;
  /** Ends the work; the gateway goes on, and another process finishes it. */
  readonly signal?: AbortSignal;
}

/** A picture that no repetition makes usable, or whose brand is gone. */
const ENDS_WITHOUT_PICTURE = ['bad-gateway', 'not-found'];

/** Pictures with a key: drawn and paid for once, and stored by whichever process has the claim. */
@Injectable()
export class KeyedImages {
  private readonly logger = new Logger(KeyedImages.name);

  constructor(
    private readonly drawing: DrawImage,
    private readonly store: KeyedImagesStore,
    private readonly memory: ImageMemory,
  ) {}

  /**
   * Draws and stores the picture, while the caller renews the claim. An outcome of the gateway without a picture ends the claim and
   * its key; after anything else, such as a lost connection, another process asks the gateway again.
   * @throws the errors of ./image.errors.ts and of StoreGeneratedFile; ImageIsStillDrawn when another process has the claim
   */
  async finish(claimed: ClaimedImage, how: HowToFinish): Promise<GeneratedImage> {
    return this.memory.holding(async (reserve) => {
      const result = await this.outcome(claimed, reserve, how.signal);
      if (result.kind !== 'answered') await this.end(claimed, isOutcome(result, how));
      if (isOutcome(result, how) && isUnpaid(result)) how.giveBack?.();
      return this.keep(claimed, imageIn(result), how.alongside);
    });
  }

  private async outcome(
    claimed: ClaimedImage,
    reserve: ReserveMemory,
    signal: AbortSignal | undefined,
  ): Promise<AiResult<ImagesResult>> {
    try {
      return await this.drawing.draw(claimed.order, { key: claimed.key, reserve, signal });
    } catch (error) {
      await this.end(claimed, false);
      throw signal?.reason instanceof ClaimIsLost ? new ImageIsStillDrawn() : error;
    }
  }

  private async keep(
    claimed: ClaimedImage,
    image: ImagesResult,
    alongside: Alongside,
  ): Promise<GeneratedImage> {
    try {
      return await this.drawing.store(claimed.order, image, async (executor, generated) => {
        if (!(await this.store.stored(executor, claimed, generated))) throw new ImageIsStillDrawn();
        await alongside(executor, generated);
      });
    } catch (error) {
      await this.end(claimed, error instanceof DomainError && ENDS_WITHOUT_PICTURE.includes(error.kind));
      throw error;
    }
  }

  /** Never throws: the claim ends with its lease. */
  private async end(claimed: ClaimedImage, isForGood: boolean): Promise<void> {
    const ending = isForGood ? this.store.remove(claimed) : this.store.release(claimed);
    await ending.catch((error: unknown) =>
      this.logger.warn(error, 'A claim of a picture ends with its lease.'),
    );
  }
}
