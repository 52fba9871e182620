import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { ThreadLimits, WaitingLimits } from '#libs/concurrency';
import { BoundedQueue, LimitedThread } from '#libs/concurrency';
import { AiCallsConfig } from '../ai-calls.config.js';
import { TooManyCalls } from '../ai.errors.js';
import type { AudioDescription, AudioFile } from './audio-file.js';
import { AudioIsNotSupported } from './audio-file.js';

const THREAD = new URL('./audio-thread.js', import.meta.url);
/** A hostile file of the largest size takes some seconds on a busy machine. */
const LIMITS: ThreadLimits = { milliseconds: 20_000, megabytes: 64 };
/** Their number is bounded by AI_MAX_CALLS. */
const WAITING: WaitingLimits = {
  total: Infinity,
  perOrigin: Infinity,
  unknownTotal: Infinity,
  milliseconds: 30_000,
};

/**
 * Reads what recordings are in a thread: to count the packets of a file that consists of them would hold up all other requests.
 * Organizations take turns.
 */
@Injectable()
export class AudioReader implements OnApplicationShutdown {
  private readonly thread = new LimitedThread(THREAD, this.limits);
  private readonly queue: BoundedQueue;

  constructor({ maxCallsWithFiles }: AiCallsConfig) {
    const refusal = () => new TooManyCalls(maxCallsWithFiles, 'images and transcriptions');
    this.queue = new BoundedQueue(1, WAITING, refusal);
  }

  /** Is replaced in tests. */
  protected get limits(): ThreadLimits {
    return LIMITS;
  }

  /** @throws AudioIsNotSupported, TooManyCalls when its turn does not come in time */
  async read(organizationId: string, bytes: Buffer): Promise<AudioFile> {
    const result = await this.queue.run({ name: organizationId }, () => this.thread.run(bytes));
    if (result.kind === 'failed' && result.reason === 'error')
      throw new Error('The thread that reads recordings has failed.');
    // A recording that takes all of the time or memory is none that a recorder wrote.
    const description = result.kind === 'done' ? (result.output as AudioDescription | null) : null;
    if (description === null) throw new AudioIsNotSupported();
    return { ...description, bytes };
  }

  /** After the requests have ended. */
  onApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
