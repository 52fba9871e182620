import { DomainError } from '#libs/errors';

/**
 * Identity gave no definite answer: refused, too slow, failing, redirecting or unreadable. Callers are told to come
 * back (503), not that their session ended; nothing is let through meanwhile.
 */
export class IdentityIsUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'identity_unavailable';

  constructor(cause?: unknown) {
    super('Sign-in cannot be checked just now. Try again in a moment.', { retryAfterSeconds: 2, cause });
  }
}
