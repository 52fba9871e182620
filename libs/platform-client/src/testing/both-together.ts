import type { ValidatedCaller } from '../identity.types.js';

type Who = Omit<ValidatedCaller, 'service'>;

/**
 * A bearer and a key sent together: the bearer's principal, in the key's organization only, with what both may do
 * there. undefined when they do not agree on the organization.
 */
export function bothTogether(bearer: Who, key: Who): Who | undefined {
  const granted = key.organizations[0];
  const own = bearer.organizations.find((organization) => organization.id === granted?.id);
  if (!granted || !own) return undefined;
  const scopes = own.scopes.filter((scope) => granted.scopes.includes(scope));
  return { ...bearer, organizations: [{ ...own, scopes, brandIds: meet(own.brandIds, granted.brandIds) }] };
}

function meet(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return one ?? other;
  return one.filter((id) => other.includes(id));
}
