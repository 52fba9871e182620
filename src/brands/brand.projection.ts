import { statement } from '#libs/database';
import type { InlineView } from '#libs/event-store';
import type { Brand, BrandState } from './brand.js';

const SAVE = statement(
  'save_brand_view',
  `INSERT INTO brands.brand_view (id, organization_id, name, timezone, version, created_at, updated_at)
   SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[])
   ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, name = excluded.name,
     timezone = excluded.timezone, version = excluded.version, updated_at = excluded.updated_at`,
);

export const brandProjection: InlineView<BrandState> = {
  name: 'brands',
  tables: ['brands.brand_view'],
  async save(executor, rows) {
    const brands = rows.filter((row) => row.state !== null);
    const column = (value: (brand: Brand) => string) => brands.map(({ state }) => value(state as Brand));
    await executor.query(SAVE, [
      brands.map(({ id }) => id),
      column(({ organizationId }) => organizationId),
      column(({ name }) => name),
      column(({ timezone }) => timezone),
      brands.map(({ version }) => version),
      column(({ createdAt }) => createdAt),
      brands.map(({ at }) => at),
    ]);
  },
};
