import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';
import type { BrandRow, BrandSummary } from '../brand.view.js';
import { BRAND_COLUMNS, summaryOf } from '../brand.view.js';

/** Those of the organizations and those named, by id; what does not exist is left out. */
export class FindBrands extends Query<BrandSummary[]> {
  constructor(
    readonly which: { readonly organizationIds?: readonly string[]; readonly brandIds?: readonly string[] },
  ) {
    super();
  }
}

const FIND = statement(
  'find_brands',
  `SELECT ${BRAND_COLUMNS} FROM brands.brand_view
   WHERE organization_id = ANY($1::uuid[]) OR id = ANY($2::uuid[]) ORDER BY id`,
);

@QueryHandler(FindBrands)
export class FindBrandsHandler implements IQueryHandler<FindBrands> {
  constructor(private readonly database: Database) {}

  async execute({ which }: FindBrands): Promise<BrandSummary[]> {
    const values = [which.organizationIds ?? [], which.brandIds ?? []];
    return (await this.database.query<BrandRow>(FIND, values)).map(summaryOf);
  }
}
