import { DomainError } from '#libs/errors';
import type { WaitingLimits } from '#libs/concurrency';
import { BoundedQueue } from '#libs/concurrency';

/** More sign-ins are waiting than can be served in a reasonable time. */
export class TooManySignIns extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'too_many_sign_ins';

  constructor() {
    super('Too many people are signing in just now. Try again in a moment.', { retryAfterSeconds: 2 });
  }
}

/** The line of passwords that wait to be hashed. */
export class HashQueue extends BoundedQueue {
  constructor(concurrency: number, maxWaiting: WaitingLimits) {
    super(concurrency, maxWaiting, () => new TooManySignIns());
  }
}
