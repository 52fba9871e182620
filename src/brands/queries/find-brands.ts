import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type BrandAccess, isBrandAccessible } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { BRAND_COLUMNS, type BrandRow, type BrandSummary, summaryOf } from '../views/brand.view.js';

/** All brands of the access, by id, ascending. Uses their current organization. */
export class FindBrands extends Query<BrandSummary[]> {
  constructor(readonly request: BrandAccess) {
    super();
  }
}

const FIND = statement(
  'find_brands',
  `SELECT ${BRAND_COLUMNS} FROM brands.brand_view b WHERE ${isBrandAccessible('b')} ORDER BY b.id`,
);

@QueryHandler(FindBrands)
export class FindBrandsHandler implements IQueryHandler<FindBrands> {
  constructor(private readonly database: Database) {}

  async execute({ request: { organizationIds, brandIds } }: FindBrands): Promise<BrandSummary[]> {
    return (await this.database.query<BrandRow>(FIND, [organizationIds, brandIds])).map(summaryOf);
  }
}
