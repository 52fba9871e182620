import { SqlView } from '#libs/event-store';
import type { BrandState } from './brand.js';

const COLUMNS = `id uuid, organization_id uuid, name text, timezone text, version int, created_at timestamptz,
  updated_at timestamptz`;

export const brandProjection = new SqlView<BrandState>({
  name: 'brands',
  tables: ['brands.brand_view'],
  json: (rows) =>
    rows.flatMap(({ id, state, version, at }) =>
      state === null
        ? []
        : [
            {
              id,
              organization_id: state.organizationId,
              name: state.name,
              timezone: state.timezone,
              version,
              created_at: state.createdAt,
              updated_at: at,
            },
          ],
    ),
  writes: [
    `INSERT INTO brands.brand_view (id, organization_id, name, timezone, version, created_at, updated_at)
     SELECT * FROM jsonb_to_recordset((TABLE given)) AS r (${COLUMNS})
     ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, name = excluded.name,
       timezone = excluded.timezone, version = excluded.version, updated_at = excluded.updated_at`,
  ],
});
