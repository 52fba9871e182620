import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { brandAccessOf, type Caller, isBrandAccessible } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { BRAND_COLUMNS, type BrandRow, type BrandSummary, summaryOf } from '../views/brand.view.js';

export interface BrandList {
  readonly caller: Caller;
  /** Id of the last brand of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

/** The brands the caller may see, by id: the order they were created in. */
export class ListBrands extends Query<BrandSummary[]> {
  constructor(readonly request: BrandList) {
    super();
  }
}

const LIST = statement(
  'list_brands',
  `SELECT ${BRAND_COLUMNS}
   FROM brands.brand_view b WHERE ${isBrandAccessible('b')} AND ($3::uuid IS NULL OR b.id > $3)
   ORDER BY b.id LIMIT $4`,
);

@QueryHandler(ListBrands)
export class ListBrandsHandler implements IQueryHandler<ListBrands> {
  constructor(private readonly database: Database) {}

  async execute({ request: { caller, after, limit } }: ListBrands): Promise<BrandSummary[]> {
    const { organizationIds, brandIds } = brandAccessOf(caller, ['accounts.read']);
    const rows = await this.database.query<BrandRow>(LIST, [organizationIds, brandIds, after, limit]);
    return rows.map(summaryOf);
  }
}
