import { Injectable } from '@nestjs/common';
import { type ClaimRequest, ClaimingWorker } from '#libs/due-work';
import { AiClient } from '#libs/platform-client';
import { ImageMetrics } from './drawing/image.metrics.js';
import { ImageSlots } from './drawing/image-limits.js';
import { ImagesConfig } from './images.config.js';
import { KeyedImages } from './drawing/keyed-images.js';
import { type ClaimedImage, type DueImage, KeyedImagesStore } from './keyed-images.store.js';

const POLL_MS = 5_000;

/** A picture that this process finishes, in a place of its own. */
interface ImageToFinish extends DueImage {
  readonly claimed: ClaimedImage;
  readonly free: () => void;
}

/**
 * Finishes pictures with a key whose process was killed or lost the gateway. The gateway replays a call that was paid for. In the API,
 * which has the token of the gateway. Takes at most half of the places for pictures of this process; the others are for requests.
 */
@Injectable()
export class FinishImages extends ClaimingWorker<ImageToFinish> {
  constructor(
    private readonly ai: AiClient,
    private readonly images: KeyedImages,
    private readonly store: KeyedImagesStore,
    private readonly slots: ImageSlots,
    private readonly metrics: ImageMetrics,
    config: ImagesConfig,
  ) {
    const lane = {
      size: Math.ceil(config.atOnce / 2),
      claim: (request: ClaimRequest) => this.claimDue(request),
    };
    super([lane], { renew: ({ claimed }) => store.renew(claimed), pollMs: POLL_MS });
  }

  override onApplicationBootstrap(): void {
    if (this.ai.isConfigured) super.onApplicationBootstrap();
  }

  protected async settle(image: ImageToFinish): Promise<void> {
    const { claimed, free } = image;
    try {
      const { file } = await this.whileClaimed(image, ({ signal }) =>
        this.images.finish(claimed, { isFirst: false, alongside: () => Promise.resolve(), signal }),
      );
      this.metrics.recovered();
      this.logger.log(`Generated file ${file.id} was stored after its request had ended.`);
    } catch (error) {
      this.logger.warn(
        error,
        `An unfinished picture of brand ${claimed.order.brandId} is not stored yet, or has ended.`,
      );
    } finally {
      free();
    }
  }

  /** Those without a place stay due. */
  private async claimDue({ limit, used }: ClaimRequest): Promise<ImageToFinish[]> {
    const images: ImageToFinish[] = [];
    for (const due of await this.store.due(limit, used)) {
      const free = this.slots.take(due.organizationId);
      const claimed = free && (await this.store.takeDue(due.key).catch(this.isNotClaimed));
      if (claimed) images.push({ ...due, claimed, free });
      else free?.();
    }
    return images;
  }

  private readonly isNotClaimed = (error: unknown): undefined =>
    void this.logger.warn(error, 'An unfinished picture could not be claimed. It is tried again.');
}
