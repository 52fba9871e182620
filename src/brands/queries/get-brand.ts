import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { BrandNotFound } from '#libs/auth';
import { Database, statement } from '#libs/database';
import type { BrandRow, BrandSummary } from '../views/brand.view.js';
import { BRAND_COLUMNS, summaryOf } from '../views/brand.view.js';

export interface BrandToGet {
  readonly brandId: string;
  /** Locks the row until the running transaction ends. Append events of the transaction before. */
  readonly held?: boolean;
}

/** For other features. Does not check the caller's access: the calling feature does. @throws BrandNotFound */
export class GetBrand extends Query<BrandSummary> {
  constructor(readonly request: BrandToGet) {
    super();
  }
}

const GET = `SELECT ${BRAND_COLUMNS} FROM brands.brand_view WHERE id = $1`;
const READ = statement('get_brand', GET);
const HOLD = statement('hold_brand', `${GET} FOR SHARE`);

@QueryHandler(GetBrand)
export class GetBrandHandler implements IQueryHandler<GetBrand> {
  constructor(private readonly database: Database) {}

  async execute({ request: { brandId, held } }: GetBrand): Promise<BrandSummary> {
    const [row] = await this.database.query<BrandRow>(held ? HOLD : READ, [brandId]);
    if (!row) throw new BrandNotFound();
    return summaryOf(row);
  }
}
