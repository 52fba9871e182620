import { jest } from '@jest/globals';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Database } from '#libs/database';
import { CLAIM_LEASE_MS } from '#libs/due-work';
import type { AiClient, AiClientCall, AiResult, ImagesResult } from '#libs/platform-client';
import type { StorageQuota } from '#libs/uploads';
import { DrawImage } from '../drawing/draw-image.js';
import type { ImageMetrics } from '../drawing/image.metrics.js';
import { ImageMemory, type ImageSlots } from '../drawing/image-limits.js';
import { KeyedImages } from '../drawing/keyed-images.js';
import { type ClaimedImage, KeyedImagesStore } from '../keyed-images.store.js';
import type { ImagesConfig } from '../images.config.js';
import { GenerateImage, GenerateImageHandler } from './generate-image.js';

/** A claim that another process takes over while the picture is drawn. */
class LostClaim extends KeyedImagesStore {
  override find = () => Promise.resolve(undefined);
  override begin = (key: string, order: ClaimedImage['order']) =>
    Promise.resolve({ key, order, attempts: 1 });
  override renew = () => Promise.resolve(false);
  override release = () => Promise.resolve();
}

/** Draws until its signal is aborted. */
const drawImages = ({ signal }: AiClientCall): Promise<AiResult<ImagesResult>> =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

describe('a picture with a key', () => {
  afterEach(() => jest.useRealTimers());

  it('is no longer waited for when another process has taken over its claim', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    const [store, memory] = [new LostClaim({} as Database), new ImageMemory()];
    const drawing = new DrawImage({ drawImages } as unknown as AiClient, {} as CommandBus);
    const handler = new GenerateImageHandler(
      { execute: () => Promise.resolve({ organizationId: 'o' }) } as unknown as QueryBus,
      drawing,
      new KeyedImages(drawing, store, memory),
      store,
      { assertSpaceFor: () => Promise.resolve() } as unknown as StorageQuota,
      {
        run: (_: string, work: () => Promise<unknown>) => work(),
        count: () => Promise.resolve(() => undefined),
      } as unknown as ImageSlots,
      memory,
      { counting: (work: () => Promise<unknown>) => work() } as unknown as ImageMetrics,
      { timeoutMs: 1_000 } as ImagesConfig,
    );
    const answer = handler.execute(
      new GenerateImage({
        brandId: 'b',
        requester: { kind: 'operator', serviceId: 's' },
        image: { prompt: 'A lighthouse', width: 64 },
        idempotencyKey: 'k',
        alongside: () => Promise.resolve(),
      }),
    );
    const refused = expect(answer).rejects.toMatchObject({ code: 'image_still_drawn' });
    await jest.advanceTimersByTimeAsync(CLAIM_LEASE_MS / 4);
    await refused;
  });
});
