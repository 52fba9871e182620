import type { Caller, Scope } from './caller.js';

/**
 * What a caller may see, as two columns for SQL's `unnest`: in each row an organization and one brand of it, or null for
 * all its brands. A brand that moved away is reached by neither.
 */
export interface Reach {
  readonly organizationIds: readonly string[];
  readonly brandIds: readonly (string | null)[];
}

/** Where the caller holds all of these scopes. Empty columns when nowhere: they match nothing. */
export function reachOf(caller: Caller, scopes: readonly Scope[]): Reach {
  const granting = caller.organizations.filter((one) => scopes.every((scope) => one.scopes.includes(scope)));
  const rows = granting.flatMap(({ id, brandIds }) =>
    (brandIds ?? [null]).map((brandId) => ({ id, brandId })),
  );
  return { organizationIds: rows.map(({ id }) => id), brandIds: rows.map(({ brandId }) => brandId) };
}
