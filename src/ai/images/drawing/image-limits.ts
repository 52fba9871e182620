import { Injectable } from '@nestjs/common';
import { Semaphore } from 'async-mutex';
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

  /** @returns frees the place, once; null: there is none now */
  take(organizationId: string): (() => void) | null {
    return this.places.take(organizationId);
  }

  async run<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const free = this.take(organizationId);
    if (!free) throw new TooManyImagesAtOnce(this.config.atOnce);
    try {
      return await work();
    } finally {
      free();
    }
  }

  /** Counts a picture of the hour. @returns gives it back, when no provider was paid */
  async count(organizationId: string): Promise<() => void> {
    const { perHour: limit } = this.config;
    const policy = { name: 'images', limit, windowSeconds: HOUR_SECONDS };
    const { allowed, resetSeconds } = await this.limits.take(policy, organizationId);
    if (!allowed) throw new ImageLimitIsReached(limit, resetSeconds);
    return this.limits.givingBack(policy, organizationId);
  }
}

const MIB = 1_048_576;
/** Below what deploy/kubernetes/api.yaml leaves for it besides the process and its decoder. */
export const IMAGE_MEMORY_MIB = 640;
/** Base64, its text, the text within the parsed JSON and the picture exist at the same time: five times the bytes of the picture. */
const PER_BYTE_OF_ANSWER = 4;
/** Of an answer whose length is not known: the largest that is read. */
const UNKNOWN_BYTES = 86 * MIB;

/** Waits until there is memory for an answer of so many bytes; null: its length is not known. */
export type ReserveMemory = (bytes: number | null) => Promise<void>;

/**
 * Bounds the memory of the pictures that arrive at a process. While providers draw, a request holds next to nothing; memory is reserved
 * when the length of the answer is known, before it is read, and freed when the picture is stored.
 */
@Injectable()
export class ImageMemory {
  private readonly free = new Semaphore(IMAGE_MEMORY_MIB);

  /** @param work may reserve several times; each frees the reservation before */
  async holding<T>(work: (reserve: ReserveMemory) => Promise<T>): Promise<T> {
    let release: (() => void) | undefined;
    const reserve: ReserveMemory = async (bytes) => {
      release?.();
      release = undefined;
      const wanted = Math.ceil(((bytes ?? UNKNOWN_BYTES) * PER_BYTE_OF_ANSWER) / MIB);
      if (wanted > 0) [, release] = await this.free.acquire(Math.min(IMAGE_MEMORY_MIB, wanted));
    };
    try {
      return await work(reserve);
    } finally {
      release?.();
    }
  }
}
