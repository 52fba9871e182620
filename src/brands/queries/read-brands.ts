import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type BrandAccess, brandAccessOf, BrandNotFound, type Caller, isBrandAccessible } from '#libs/auth';
import type { Instant } from '#libs/content';
import { Database, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { BRAND_COLUMNS, brandOf, type BrandRow, type BrandSummary } from './brand.view.js';

/** All brands of the access, by id, ascending. Uses their current organization. */
export class FindBrands extends RequestQuery<BrandAccess, BrandSummary[]> {}

const FIND = statement(
  'find_brands',
  `SELECT ${BRAND_COLUMNS} FROM brands.brand_view b WHERE ${isBrandAccessible('b')} ORDER BY b.id`,
);

@QueryHandler(FindBrands)
export class FindBrandsHandler implements IQueryHandler<FindBrands> {
  constructor(private readonly database: Database) {}

  async execute({ request: { organizationIds, brandIds } }: FindBrands): Promise<BrandSummary[]> {
    return (await this.database.query<BrandRow>(FIND, [organizationIds, brandIds])).map(brandOf);
  }
}

interface BrandToGet {
  readonly brandId: string;
  /** Locks the row until the running transaction ends. Append events of the transaction before. */
  readonly held?: boolean;
}

interface BrandAtNow extends BrandSummary {
  /** The database's time of the read. */
  readonly now: Instant;
}

/** For other features. Does not check the caller's access: the calling feature does. */
export class GetBrand extends RequestQuery<BrandToGet, BrandAtNow> {}

const GET = `SELECT ${BRAND_COLUMNS}, clock_timestamp() AS now FROM brands.brand_view WHERE id = $1`;
const READ = statement('get_brand', GET);
const HOLD = statement('hold_brand', `${GET} FOR SHARE`);

@QueryHandler(GetBrand)
export class GetBrandHandler implements IQueryHandler<GetBrand> {
  constructor(private readonly database: Database) {}

  async execute({ request: { brandId, held } }: GetBrand): Promise<BrandAtNow> {
    const [row] = await this.database.query<BrandRow & { now: Date }>(held ? HOLD : READ, [brandId]);
    if (!row) throw new BrandNotFound();
    return { ...brandOf(row), now: row.now.toISOString() };
  }
}

interface BrandList {
  readonly caller: Caller;
  readonly after: string | null;
  readonly limit: number;
}

/** The brands the caller may see, by id: the order they were created in. */
export class ListBrands extends RequestQuery<BrandList, BrandSummary[]> {}

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
    return rows.map(brandOf);
  }
}
