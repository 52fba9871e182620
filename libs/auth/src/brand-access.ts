import type { Caller, Scope } from './caller.js';

/**
 * The brands that a caller may see, as two columns for SQL's `unnest`. Each row has an organization and one of its brands, or
 * null for all its brands. A brand that was transferred to another organization matches no row.
 */
export interface BrandAccess {
  readonly organizationIds: readonly string[];
  readonly brandIds: readonly (string | null)[];
}

/** The brands for which the caller has all scopes. Empty columns match nothing. */
export function brandAccessOf(caller: Caller, scopes: readonly Scope[]): BrandAccess {
  const granting = caller.organizations.filter((one) => scopes.every((scope) => one.scopes.includes(scope)));
  const rows = granting.flatMap(({ id, brandIds }) =>
    (brandIds ?? [null]).map((brandId) => ({ id, brandId })),
  );
  return { organizationIds: rows.map(({ id }) => id), brandIds: rows.map(({ brandId }) => brandId) };
}

/**
 * An SQL condition that a `BrandAccess` with its columns in $1 and $2 contains a brand. Also tests the organizations alone,
 * because PostgreSQL uses no index for EXISTS.
 * @param brand alias of a row with `id` and `organization_id`
 */
export const isBrandAccessible = (
  brand: string,
): string => `(${brand}.organization_id = ANY($1::uuid[]) AND EXISTS (
  SELECT FROM unnest($1::uuid[], $2::uuid[]) AS allowed (organization_id, brand_id)
  WHERE allowed.organization_id = ${brand}.organization_id AND (allowed.brand_id IS NULL OR allowed.brand_id = ${brand}.id)))`;
