import { DomainError } from '#libs/errors';

/** More sign-ins are waiting than can be served in a reasonable time. */
export class TooManySignIns extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'too_many_sign_ins';

  constructor() {
    super('Too many people are signing in just now. Try again in a moment.', { retryAfterSeconds: 2 });
  }
}

/** Lets a few run at once and a few more wait; memory stays bounded whatever comes. */
export class HashQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly concurrency: number,
    private readonly maxWaiting: number,
  ) {}

  /** @throws TooManySignIns at once when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.concurrency) this.running += 1;
    else await this.turn();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= this.maxWaiting) throw new TooManySignIns();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
