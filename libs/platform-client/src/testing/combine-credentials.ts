import type { ValidatedCaller } from '../identity.types.js';

type Caller = Omit<ValidatedCaller, 'service'>;

/**
 * For a bearer and a key in one request: the bearer's principal in the key's organization, with the permissions that both
 * have. undefined when the bearer is not in that organization.
 */
export function combineCredentials(bearer: Caller, key: Caller): Caller | undefined {
  const granted = key.organizations[0];
  const own = bearer.organizations.find((organization) => organization.id === granted?.id);
  if (!granted || !own) return undefined;
  const scopes = own.scopes.filter((scope) => granted.scopes.includes(scope));
  const brandIds = intersect(own.brandIds, granted.brandIds);
  return { ...bearer, apiKeyId: key.principal.id, organizations: [{ ...own, scopes, brandIds }] };
}

/** null means all brands. */
function intersect(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other;
  return one.filter((id) => other.includes(id));
}
