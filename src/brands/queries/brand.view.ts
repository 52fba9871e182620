import { type RowOf, viewOf } from '#libs/database';
import { TableView, type ViewColumn, type ViewRow, viewTable } from '#libs/event-store';
import type { Brand, BrandState } from '../domain/brand.js';

type ProjectedBrand = Pick<ViewRow<Brand>, 'state' | 'version' | 'at'>;

const COLUMNS: readonly ViewColumn<ProjectedBrand>[] = [
  ['organization_id', 'uuid', ({ state }) => state.organizationId],
  ['name', 'text', ({ state }) => state.name],
  ['timezone', 'text', ({ state }) => state.timezone],
  ['version', 'int', ({ version }) => version],
  ['created_at', 'timestamptz', ({ state }) => state.createdAt],
  ['updated_at', 'timestamptz', ({ at }) => at],
];

export const brandProjection = new TableView<BrandState>({
  name: 'brands',
  tables: [
    viewTable({
      name: 'brands.brand_view',
      key: 'id',
      columns: COLUMNS,
      rowOf: ({ state, version, at }: ViewRow<BrandState>) =>
        state === null ? null : { state, version, at },
    }),
  ],
});

/** A brand as other features and lists see it. Instants: RFC 3339, UTC, milliseconds. */
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

export type BrandRow = RowOf<BrandSummary>;

export const BRAND_COLUMNS = `id, organization_id AS "organizationId", name, timezone, version, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

export const brandOf = (row: BrandRow): BrandSummary => viewOf<BrandSummary>(row);
