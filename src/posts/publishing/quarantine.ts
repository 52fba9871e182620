import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/clock';

/** After this time a post is tried again, and logged again. */
const QUARANTINE_MS = 300_000;

/**
 * Posts that this worker can neither send nor settle: this release cannot read their history, or the database refuses what is
 * decided about them. Queries leave them out until their time is over. Each process has its own: another release may be able
 * to read them.
 */
@Injectable()
export class Quarantine {
  private readonly logger = new Logger(Quarantine.name);
  /** Monotonic milliseconds until which a post is left out, by its id. */
  private readonly until = new Map<string, number>();
  /** How many times a post was added since the start. */
  total = 0;

  constructor(private readonly clock: Clock) {}

  add(postId: string, error: unknown): void {
    this.until.set(postId, this.clock.monotonic() + QUARANTINE_MS);
    this.total += 1;
    this.logger.error(
      { postId, err: error },
      'A due post can be neither sent nor settled. It is tried again in five minutes.',
    );
  }

  get postIds(): string[] {
    const now = this.clock.monotonic();
    for (const [postId, until] of this.until) if (until <= now) this.until.delete(postId);
    return [...this.until.keys()];
  }
}
