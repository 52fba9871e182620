import { domainError } from '#libs/errors';
import { BoundedQueue, type WaitingLimits } from '#libs/concurrency';

/** The queue of sign-ins is full. */
export class TooManySignIns extends domainError('unavailable', 'too_many_sign_ins', {
  detail: 'Too many sign-ins are in progress. Try again in a moment.',
  retryAfterSeconds: 2,
}) {}

/** The queue of password hashes. */
export class HashQueue extends BoundedQueue {
  constructor(concurrency: number, maxWaiting: WaitingLimits) {
    super(concurrency, maxWaiting, () => new TooManySignIns());
  }
}
