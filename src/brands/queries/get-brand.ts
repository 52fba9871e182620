import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';
import { BrandNotFound } from '../brand.errors.js';
import type { BrandRow, BrandSummary } from '../brand.view.js';
import { BRAND_COLUMNS, summaryOf } from '../brand.view.js';

/** For rooms, whoever is calling: they ask the caller's right to it themselves. @throws BrandNotFound */
export class GetBrand extends Query<BrandSummary> {
  constructor(readonly which: { readonly brandId: string }) {
    super();
  }
}

const GET = statement('get_brand', `SELECT ${BRAND_COLUMNS} FROM brands.brand_view WHERE id = $1`);

@QueryHandler(GetBrand)
export class GetBrandHandler implements IQueryHandler<GetBrand> {
  constructor(private readonly database: Database) {}

  async execute({ which }: GetBrand): Promise<BrandSummary> {
    const [row] = await this.database.query<BrandRow>(GET, [which.brandId]);
    if (!row) throw new BrandNotFound();
    return summaryOf(row);
  }
}
