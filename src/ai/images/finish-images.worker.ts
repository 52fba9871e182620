import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import { DueLoop } from '#libs/due-work';
import { AiClient } from '#libs/platform-client';
import { ImageMetrics } from './image.metrics.js';
import { KeyedImages } from './keyed-images.js';
import { KeyedImagesStore } from './keyed-images.store.js';

const POLL_MS = 5_000;

/**
 * Finishes pictures with a key whose process was killed or lost the gateway, one at a time. The gateway replays a call that was paid
 * for. In the API, which has the token of the gateway; replicas share the rows by claims.
 */
@Injectable()
export class FinishImages implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FinishImages.name);
  private readonly stopping = new AbortController();
  private readonly loop = new DueLoop({
    run: () => this.run(),
    pollMs: POLL_MS,
    onError: (error) =>
      this.logger.warn(error, 'Unfinished pictures could not be claimed. They are tried again.'),
  });

  constructor(
    private readonly ai: AiClient,
    private readonly images: KeyedImages,
    private readonly store: KeyedImagesStore,
    private readonly metrics: ImageMetrics,
  ) {}

  onApplicationBootstrap(): void {
    if (this.ai.isConfigured) this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
  }

  /** @returns milliseconds until it is worth running again */
  private async run(): Promise<number> {
    const claimed = await this.store.takeDue();
    if (!claimed) return Infinity;
    const { signal } = this.stopping;
    try {
      const how = { isFirst: false, alongside: () => Promise.resolve(), signal };
      const { file } = await this.images.finish(claimed, how);
      this.metrics.recovered();
      this.logger.log(`Generated file ${file.id} was stored after its request had ended.`);
    } catch (error) {
      this.logger.warn(
        error,
        `An unfinished picture of brand ${claimed.order.brandId} is not stored yet, or has ended.`,
      );
    }
    return 0;
  }
}
