import { domainError } from '#libs/errors';
import type {
  ClaimedAttribution,
  Credentials,
  PermissionPayload,
  RegisteredService,
  Registration,
  ValidatedCaller,
  VerifiedAttribution,
} from './identity.types.js';

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

/**
 * Requests of a service to identity. Nothing is cached: the next call refuses an ended session or a revoked key.
 * @throws IdentityIsUnavailable from every method when identity gives no definite response.
 */
export abstract class IdentityClient {
  /** The owner of the credentials and their permissions; null for refused credentials. */
  abstract validate(credentials: Credentials): Promise<ValidatedCaller | null>;

  /** The registry entry of a slug; null when there is none. Its id differs between installations. */
  abstract findService(slug: string, authorization: string): Promise<RegisteredService | null>;

  /** The registered identifier of a slug, for services without a bearer token; null when there is none. */
  abstract registration(slug: string): Promise<Registration | null>;

  /** Checks on whose behalf another service calls this one. */
  abstract verifyAttribution(claimed: ClaimedAttribution): Promise<VerifiedAttribution>;

  /** Evaluated permissions of a user; null when the user does not exist or the caller may not read them. */
  abstract permissionsOf(userId: string, authorization: string): Promise<PermissionPayload | null>;
}
