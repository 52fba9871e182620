/** A brand as other rooms and lists see it. Instants: RFC 3339, UTC, milliseconds. */
export interface BrandSummary {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timezone: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A row of brands.brand_view, as pg reads it. */
export interface BrandRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly timezone: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const BRAND_COLUMNS = 'id, organization_id, name, timezone, version, created_at, updated_at';

/** A condition on brands.brand_view `b`: $1 and $2 are the columns of a `Reach`. */
export const IS_REACHED = `EXISTS (
  SELECT FROM unnest($1::uuid[], $2::uuid[]) AS reach (organization_id, brand_id)
  WHERE reach.organization_id = b.organization_id AND (reach.brand_id IS NULL OR reach.brand_id = b.id))`;

export const summaryOf = (row: BrandRow): BrandSummary => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  timezone: row.timezone,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
