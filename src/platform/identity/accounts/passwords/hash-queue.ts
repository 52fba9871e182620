import { DomainError } from '#libs/errors';
import type { WaitingLimits } from '#libs/concurrency';
import { BoundedQueue } from '#libs/concurrency';

/** The queue of sign-ins is full. */
export class TooManySignIns extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'too_many_sign_ins';

  constructor() {
    super('Too many sign-ins are in progress. Try again in a moment.', { retryAfterSeconds: 2 });
  }
}

/** The queue of password hashes. */
export class HashQueue extends BoundedQueue {
  constructor(concurrency: number, maxWaiting: WaitingLimits) {
    super(concurrency, maxWaiting, () => new TooManySignIns());
  }
}
