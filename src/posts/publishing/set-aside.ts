import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { ShortMemory } from './short-memory.js';

/** So often such a post is tried again, and told of. */
const SET_ASIDE_MS = 300_000;

/**
 * Posts that this worker can do nothing with for now: their history is not one this release can read, or the database
 * refuses what is decided about them. They are looked at again later and take nobody's place until then. Another worker,
 * of another release, decides for itself.
 */
@Injectable()
export class PublishSetAside {
  private readonly logger = new Logger(PublishSetAside.name);
  private readonly memory: ShortMemory;
  /** How often that was, since the start. */
  total = 0;

  constructor(clock: Clock) {
    this.memory = new ShortMemory(clock, SET_ASIDE_MS);
  }

  add(postId: string, error: unknown): void {
    this.memory.add(postId);
    this.total += 1;
    this.logger.error({ postId, err: error }, 'A due post can be neither sent nor settled; it is set aside.');
  }

  /** Ids of posts. */
  get ids(): string[] {
    return this.memory.ids;
  }
}
