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
