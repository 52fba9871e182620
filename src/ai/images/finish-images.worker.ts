import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { UsedTime } from '#libs/concurrency';
import { DueLoop } from '#libs/due-work';
import { AiClient } from '#libs/platform-client';
import { TooManyImagesAtOnce } from './image.errors.js';
import { ImageMetrics } from './drawing/image.metrics.js';
import { ImageSlots } from './drawing/image-limits.js';
import { ImagesConfig } from './images.config.js';
import { KeyedImages } from './drawing/keyed-images.js';
import { type ClaimedImage, type DueImage, KeyedImagesStore } from './keyed-images.store.js';

const POLL_MS = 5_000;

/**
 * Finishes pictures with a key whose process was killed or lost the gateway. The gateway replays a call that was paid for. In the API,
 * which has the token of the gateway; replicas share the rows by claims. Organizations take turns by the time of their pictures. Takes at most half of the places for pictures of this process;
 * the others are for requests.
 */
@Injectable()
export class FinishImages implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FinishImages.name);
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly used = new UsedTime();
  private readonly loop = new DueLoop({
    run: () => this.run(),
    pollMs: POLL_MS,
    onError: (error) =>
      this.logger.warn(error, 'Unfinished pictures could not be read. They are tried again.'),
  });

  constructor(
    private readonly ai: AiClient,
    private readonly images: KeyedImages,
    private readonly store: KeyedImagesStore,
    private readonly slots: ImageSlots,
    private readonly metrics: ImageMetrics,
    private readonly config: ImagesConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.ai.isConfigured) this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
    await Promise.all(this.running);
  }

  /** Starts as many as there are places. @returns milliseconds until it is worth running again, if none ends before */
  private async run(): Promise<number> {
    const free = Math.ceil(this.config.atOnce / 2) - this.running.size;
    for (const due of await this.store.due(free, this.used.leastFirst())) {
      const running = this.take(due).then((isFinished) => {
        this.running.delete(running);
        if (isFinished) this.loop.wake();
      });
      this.running.add(running);
    }
    return Infinity;
  }

  /** Never rejects. @returns false: there is no place, and the picture stays due; or another process has it */
  private async take({ key, organizationId }: DueImage): Promise<boolean> {
    try {
      return await this.slots.run(organizationId, async () => {
        const claimed = await this.store.takeDue(key);
        if (claimed) await this.finish(claimed, organizationId);
        return claimed !== undefined;
      });
    } catch (error) {
      if (!(error instanceof TooManyImagesAtOnce))
        this.logger.warn(error, 'An unfinished picture could not be claimed. It is tried again.');
      return false;
    }
  }

  private async finish(claimed: ClaimedImage, organizationId: string): Promise<void> {
    const { signal } = this.stopping;
    const work = this.used.begin(organizationId);
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
    } finally {
      work.end();
    }
  }
}
