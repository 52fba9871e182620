import { DomainError } from '#libs/errors';

/** More sign-ins are waiting than can be served in a reasonable time. */
export class TooManySignIns extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'too_many_sign_ins';

  constructor() {
    super('Too many people are signing in just now. Try again in a moment.', { retryAfterSeconds: 2 });
  }
}

interface Waiting {
  readonly whose: string;
  readonly start: () => void;
}

/**
 * Lets a few run at once and a few more wait; memory stays bounded whatever comes. Of those who wait only some may be of
 * one origin, so that nobody takes all the room by asking often enough.
 */
export class HashQueue {
  private running = 0;
  private readonly waiting: Waiting[] = [];

  constructor(
    private readonly concurrency: number,
    private readonly maxWaiting: { readonly ofAll: number; readonly ofOne: number },
  ) {}

  /** @param whose the origin it counts for. @throws TooManySignIns at once when there is no room to wait. */
  async run<T>(whose: string, work: () => Promise<T>): Promise<T> {
    if (this.running < this.concurrency) this.running += 1;
    else await this.turn(whose);
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next.start();
      else this.running -= 1;
    }
  }

  private turn(whose: string): Promise<void> {
    const { ofAll, ofOne } = this.maxWaiting;
    const own = this.waiting.filter((other) => other.whose === whose).length;
    if (this.waiting.length >= ofAll || own >= ofOne) throw new TooManySignIns();
    return new Promise((start) => this.waiting.push({ whose, start }));
  }
}
