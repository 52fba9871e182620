import { Injectable } from '@nestjs/common';
import { RateLimits } from '#libs/http';
import { ImageLimitIsReached, TooManyImagesAtOnce } from './image.errors.js';
import { ImagesConfig } from './images.config.js';

const HOUR_SECONDS = 3_600;

/** The limits of this service: how many pictures an organization asks for, and how many a process waits for. */
@Injectable()
export class ImageSlots {
  private running = 0;

  constructor(
    private readonly config: ImagesConfig,
    private readonly limits: RateLimits,
  ) {}

  /** A picture that the process has no room for does not count. @throws TooManyImagesAtOnce, ImageLimitIsReached */
  async run<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const { atOnce } = this.config;
    if (this.running >= atOnce) throw new TooManyImagesAtOnce(atOnce);
    this.running += 1;
    try {
      await this.count(organizationId);
      return await work();
    } finally {
      this.running -= 1;
    }
  }

  private async count(organizationId: string): Promise<void> {
    const { perHour: limit } = this.config;
    const policy = { name: 'images', limit, windowSeconds: HOUR_SECONDS };
    const { allowed, resetSeconds } = await this.limits.take(policy, organizationId);
    if (!allowed) throw new ImageLimitIsReached(limit, resetSeconds);
  }
}
