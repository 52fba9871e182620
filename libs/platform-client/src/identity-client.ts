import type { Credentials, PermissionPayload, RegisteredService, ValidatedCaller } from './identity.types.js';

/**
 * What a service may ask identity. Nothing is remembered between calls: a session ended or a key revoked is refused by
 * the next one.
 * @throws IdentityIsUnavailable from every method when there is no definite answer.
 */
export abstract class IdentityClient {
  /** Who the credentials belong to and what they may do; null for a definite no. */
  abstract validate(credentials: Credentials): Promise<ValidatedCaller | null>;

  /** The registry's entry for a slug, with the identifier it has there today; null when there is none. */
  abstract findService(slug: string, authorization: string): Promise<RegisteredService | null>;

  /** A user's evaluated permissions; null when the asker may not know them, or the user does not exist. */
  abstract permissionsOf(userId: string, authorization: string): Promise<PermissionPayload | null>;
}
