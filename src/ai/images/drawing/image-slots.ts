import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { FairPlaces } from '#libs/concurrency';
import { RateLimits } from '#libs/http';
import { ImageLimitIsReached, TooManyImagesAtOnce } from '../image.errors.js';
import { ImagesConfig } from '../images.config.js';

const HOUR_SECONDS = 3_600;
/** Of the places, for one organization while others have or want some. */
const ORGANIZATION_SHARE = 0.5;

/** The limits of this service: how many pictures an organization asks for, and how many a process waits for. */
@Injectable()
export class ImageSlots {
  private readonly places: FairPlaces;

  constructor(
    private readonly config: ImagesConfig,
    private readonly limits: RateLimits,
    clock: Clock,
  ) {
    this.places = new FairPlaces(config.atOnce, ORGANIZATION_SHARE, clock);
  }

  /** @throws TooManyImagesAtOnce before `work` begins */
  async run<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const free = this.places.take(organizationId);
    if (!free) throw new TooManyImagesAtOnce(this.config.atOnce);
    try {
      return await work();
    } finally {
      free();
    }
  }

  /** Counts a picture of the hour. @returns gives it back, when no provider was paid @throws ImageLimitIsReached */
  async count(organizationId: string): Promise<() => void> {
    const { perHour: limit } = this.config;
    const policy = { name: 'images', limit, windowSeconds: HOUR_SECONDS };
    const { allowed, resetSeconds } = await this.limits.take(policy, organizationId);
    if (!allowed) throw new ImageLimitIsReached(limit, resetSeconds);
    return this.limits.givingBack(policy, organizationId);
  }
}
