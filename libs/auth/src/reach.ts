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

/**
 * A condition in SQL that a `Reach`, its columns in $1 and $2, holds a brand. The organizations are named once more before,
 * because no index is looked into for what EXISTS asks.
 * @param brand alias of a row with `id` and `organization_id`
 */
export const isReached = (brand: string): string => `(${brand}.organization_id = ANY($1::uuid[]) AND EXISTS (
  SELECT FROM unnest($1::uuid[], $2::uuid[]) AS reach (organization_id, brand_id)
  WHERE reach.organization_id = ${brand}.organization_id AND (reach.brand_id IS NULL OR reach.brand_id = ${brand}.id)))`;
