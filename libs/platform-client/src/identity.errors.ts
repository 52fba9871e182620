import { DomainError } from '#libs/errors';

/** The cause of `IdentityIsUnavailable` when identity does not take the token of this service. For operators, not for callers. */
export class ServiceCredentialIsRefused extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'service_credential_refused';

  constructor() {
    super(
      'Identity refuses the credential of this service. Set IDENTITY_SERVICE_TOKEN to one of its IDENTITY_SERVICE_TOKENS.',
    );
  }
}

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
