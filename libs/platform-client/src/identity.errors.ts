import { domainError } from '#libs/errors';

/** The cause of `IdentityIsUnavailable` when identity refuses the token of this service. For operators, not for callers. */
export class ServiceCredentialIsRefused extends domainError(
  'unavailable',
  'service_credential_refused',
  'Identity refuses the credential of this service. Set IDENTITY_SERVICE_TOKEN to one of its IDENTITY_SERVICE_TOKENS.',
) {}

/**
 * Identity gave no definite response: connection refused, timeout, error, redirect or unreadable body. The request is
 * refused with 503 and not with 401, because the session may still be valid.
 */
export class IdentityIsUnavailable extends domainError(
  'unavailable',
  'identity_unavailable',
  (cause?: unknown) => ({
    detail: 'Identity is unavailable, so the credentials cannot be checked. Try again in a moment.',
    retryAfterSeconds: 2,
    cause,
  }),
) {}
