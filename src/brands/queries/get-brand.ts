import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { BrandNotFound } from '#libs/auth';
import type { Instant } from '#libs/content';
import { Database, statement } from '#libs/database';
import { BRAND_COLUMNS, type BrandRow, type BrandSummary, summaryOf } from '../views/brand.view.js';

export interface BrandToGet {
  readonly brandId: string;
  /** Locks the row until the running transaction ends. Append events of the transaction before. */
  readonly held?: boolean;
}

export interface BrandAtNow extends BrandSummary {
  /** The database's time of the read. */
  readonly now: Instant;
}

/** For other features. Does not check the caller's access: the calling feature does. @throws BrandNotFound */
export class GetBrand extends Query<BrandAtNow> {
  constructor(readonly request: BrandToGet) {
    super();
  }
}

const GET = `SELECT ${BRAND_COLUMNS}, clock_timestamp() AS now FROM brands.brand_view WHERE id = $1`;
const READ = statement('get_brand', GET);
const HOLD = statement('hold_brand', `${GET} FOR SHARE`);

@QueryHandler(GetBrand)
export class GetBrandHandler implements IQueryHandler<GetBrand> {
  constructor(private readonly database: Database) {}

  async execute({ request: { brandId, held } }: GetBrand): Promise<BrandAtNow> {
    const [row] = await this.database.query<BrandRow & { now: Date }>(held ? HOLD : READ, [brandId]);
    if (!row) throw new BrandNotFound();
    return { ...summaryOf(row), now: row.now.toISOString() };
  }
}
