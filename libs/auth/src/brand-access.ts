import { RequestIsNotValid } from '#libs/http';
import type { Caller, Scope } from './caller.js';

/**
 * The brand that a body names, or X-Brand-ID; in lower case.
 * @throws RequestIsNotValid without a brand or with two different ones
 */
export function namedBrand(inBody: string | undefined, header: string | undefined): string {
  const brandId = inBody?.toLowerCase() ?? header;
  if (!brandId) throw brandIsNotValid('required', 'is required here or as X-Brand-ID');
  if (header !== undefined && brandId !== header)
    throw brandIsNotValid('contradicts_header', 'must be that of X-Brand-ID');
  return brandId;
}

const brandIsNotValid = (code: string, detail: string) =>
  new RequestIsNotValid([{ pointer: '#/brandId', code, detail }]);

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
