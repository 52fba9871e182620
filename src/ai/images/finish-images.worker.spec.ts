import { FixedClock } from '#libs/clock/testing';
import type { RateLimits } from '#libs/http';
import type { AiClient } from '#libs/platform-client';
import { FinishImages } from './finish-images.worker.js';
import type { ImageMetrics } from './drawing/image.metrics.js';
import { ImageSlots } from './drawing/image-limits.js';
import type { ImagesConfig } from './images.config.js';
import type { KeyedImages } from './drawing/keyed-images.js';
import type { ClaimedImage, DueImage, KeyedImagesStore } from './keyed-images.store.js';

const CONFIG = { atOnce: 4 } as ImagesConfig;

/** Unfinished pictures of one organization. */
class DueRows {
  readonly asked = Promise.withResolvers<void>();
  /** As `due` was called. */
  used: readonly string[] = [];
  private rows: DueImage[];

  constructor(keys: readonly string[]) {
    this.rows = keys.map((key) => ({ key, organizationId: 'a' }));
  }

  due(limit: number, used: readonly string[] = []): Promise<DueImage[]> {
    this.used = used;
    this.asked.resolve();
    return Promise.resolve(this.rows.slice(0, limit));
  }

  takeDue(key: string): Promise<ClaimedImage | undefined> {
    this.rows = this.rows.filter((row) => row.key !== key);
    return Promise.resolve({ key, order: {}, attempts: 2 } as ClaimedImage);
  }
}

/** Pictures end when the test says so. */
class HeldImages {
  readonly started: string[] = [];
  private readonly ends: (() => void)[] = [];
  private readonly starts = Array.from({ length: 3 }, () => Promise.withResolvers<void>());

  finish({ key }: ClaimedImage): Promise<object> {
    this.starts[this.started.push(key) - 1]?.resolve();
    return new Promise((end) => this.ends.push(() => end({ file: { id: key } })));
  }

  /** @param count so many have been started */
  async until(count: number): Promise<void> {
    await this.starts[count - 1]?.promise;
  }

  endFirst(): void {
    this.ends.shift()?.();
  }

  endAll(): void {
    for (const end of this.ends) end();
  }
}

describe('unfinished pictures', () => {
  const open = (...keys: string[]) => {
    const [images, rows] = [new HeldImages(), new DueRows(keys)];
    const slots = new ImageSlots(CONFIG, {} as RateLimits, new FixedClock(new Date('2026-11-26T12:00:00Z')));
    const metrics = { recovered: () => undefined } as ImageMetrics;
    const worker = new FinishImages(
      { isConfigured: true } as AiClient,
      images as unknown as KeyedImages,
      rows as unknown as KeyedImagesStore,
      slots,
      metrics,
      CONFIG,
    );
    worker.onApplicationBootstrap();
    return { images, rows, slots, worker };
  };

  it('are finished several at a time, by half of the places, and the next one when one has ended', async () => {
    const { images, rows, worker } = open('1', '2', '3');
    await images.until(2);
    expect(images.started).toEqual(['1', '2']);
    images.endFirst();
    await images.until(3);
    expect(images.started).toEqual(['1', '2', '3']);
    // The organization used time.
    expect(rows.used).toEqual(['a']);
    images.endAll();
    await worker.beforeApplicationShutdown();
  });

  it('take places from no request, and stay due', async () => {
    const end = Promise.withResolvers<void>();
    const { images, rows, slots, worker } = open('1');
    const requests = Array.from({ length: CONFIG.atOnce }, () => slots.run('b', () => end.promise));
    await rows.asked.promise;
    await new Promise(setImmediate);
    expect([images.started, await rows.due(1)]).toEqual([[], [{ key: '1', organizationId: 'a' }]]);
    end.resolve();
    await Promise.all(requests);
    await worker.beforeApplicationShutdown();
  });
});
