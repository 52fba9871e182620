import { domainError } from '#libs/errors';

const NEEDED = 'This needs a valid access token or, where the operation takes one, a valid API key.';
const MISPLACED_KEY = {
  'behind Bearer': 'An API key is no access token. Send it in the header X-Api-Key instead of Authorization.',
  'on an operation without keys': 'This operation takes no API key. Send an access token in Authorization.',
} as const;

/**
 * The credentials are missing or refused by identity. Never tells whether a part of them is valid.
 * @param misplaced what is wrong with the place of an API key, whether it is valid or not
 */
export class CredentialsAreNotValid extends domainError(
  'unauthenticated',
  'unauthenticated',
  (misplaced?: keyof typeof MISPLACED_KEY) => (misplaced === undefined ? NEEDED : MISPLACED_KEY[misplaced]),
) {
  /** The title of every 401. */
  override get title(): string {
    return 'Credentials are needed';
  }
}

/** The caller may know that the resource exists but does not have the scope. */
export class ScopeIsMissing extends domainError(
  'forbidden',
  'insufficient_scope',
  (scopes: readonly string[]) => ({
    detail: `This needs the scope ${scopes.join(' and ')}.`,
    members: { requiredScopes: scopes },
  }),
) {}

/** The brand does not exist, or the caller may not know of it: both give the same response. Also for an invalid X-Brand-ID. */
export class BrandNotFound extends domainError(
  'not-found',
  'brand_not_found',
  'The brand does not exist, or you have no access to it. Check its id.',
) {}
