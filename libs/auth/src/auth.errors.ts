import { DomainError } from '#libs/errors';

/** No credential, or none that identity accepts. Never says which part was wrong. */
export class CredentialsAreNotValid extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'unauthenticated';

  constructor() {
    super('This needs a valid access token or, where the operation takes one, a valid API key.');
  }

  /** That of every other 401. */
  override get title(): string {
    return 'Credentials are needed';
  }
}

/** The caller is known and may know the thing exists, but was not given the scope. */
export class ScopeIsMissing extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'insufficient_scope';

  constructor(readonly scopes: readonly string[]) {
    super(`This needs the scope ${scopes.join(' and ')}.`, { members: { requiredScopes: scopes } });
  }
}

/**
 * No such brand, or none the caller may know of: the two answer alike. Also the answer for an X-Brand-ID that is not an
 * identifier: such a brand cannot exist.
 */
export class BrandNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'brand_not_found';

  constructor() {
    super('There is no such brand.');
  }
}
