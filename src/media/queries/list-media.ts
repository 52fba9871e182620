import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { brandAccessOf, isBrandAccessible } from '#libs/auth';
import { Database, statement } from '#libs/database';
import type { MediaFileRow } from '../views/media-file.view.js';
import { MEDIA_FILE_COLUMNS } from '../views/media-file.view.js';
import type { MediaFilters } from './media.search.js';
import { MediaSearch } from './media.search.js';

export interface MediaList {
  readonly caller: Caller;
  /** Only of this brand; by default of all that the caller can access. */
  readonly brandId?: string;
  readonly filters: MediaFilters;
  /** Id of the last file of the previous page. */
  readonly after: string | null;
  readonly limit: number;
  readonly includeTotal: boolean;
}

export interface MediaFound {
  readonly rows: readonly MediaFileRow[];
  readonly total?: number;
  /** The maximum of the count, if there are more files. */
  readonly totalExceeds?: number;
}

/** Newest first, also with filters and words. Posters are omitted. */
export class ListMedia extends Query<MediaFound> {
  constructor(readonly request: MediaList) {
    super();
  }
}

/** Maximum of a count: about a millisecond along an index. */
const MAX_TOTAL = 1_000;

/**
 * Up to this many matches are read by the index on words and sorted. Of more, one of a few hundred rows matches, even among a
 * million: the newest ones are found soon along the index of the order.
 */
const MAX_SORTED = 3_000;

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const BRANDS = statement(
  'find_brands_of_media',
  `SELECT b.id FROM brands.brand_owner b WHERE ${isBrandAccessible('b')} AND ($3::uuid IS NULL OR b.id = $3)`,
);

/** $1 brands, $2 id of the last file before, $3 limit. Reads per brand at most one page along the index of the order. */
const pageWhere = (name: string, condition: string) =>
  statement(
    name,
    `SELECT f.* FROM unnest($1::uuid[]) AS mine (brand_id) CROSS JOIN LATERAL (
       SELECT ${MEDIA_FILE_COLUMNS} FROM media.file
       WHERE brand_id = mine.brand_id AND poster_of IS NULL AND id < $2 AND ${condition}
       ORDER BY id DESC LIMIT $3) AS f
     ORDER BY f.id DESC LIMIT $3`,
  );

const PAGE = pageWhere('page_media', 'true');
/** Inside of coalesce, so that the index on words does not apply: it has no order. $4 is a tsquery. */
const PAGE_OF_MATCHES = pageWhere('page_matching_media', 'coalesce(search @@ $4::tsquery, false)');

const COUNT = statement(
  'count_media',
  `SELECT count(*)::int AS total FROM (
     SELECT FROM media.file WHERE brand_id = ANY($1::uuid[]) AND poster_of IS NULL LIMIT ${MAX_TOTAL + 1}) AS counted`,
);

/** Unnamed, so that it is planned for the given words. Without an order: PostgreSQL would read the index of the order. */
const MATCHES = `SELECT id FROM media.file WHERE search @@ $1::tsquery LIMIT ${MAX_SORTED + 1}`;

const ROWS = statement(
  'find_media_rows',
  `SELECT ${MEDIA_FILE_COLUMNS} FROM media.file WHERE id = ANY($1::uuid[]) AND brand_id = ANY($2::uuid[]) ORDER BY id DESC`,
);

@QueryHandler(ListMedia)
export class ListMediaHandler implements IQueryHandler<ListMedia> {
  constructor(
    private readonly database: Database,
    private readonly search: MediaSearch,
  ) {}

  async execute({ request }: ListMedia): Promise<MediaFound> {
    const brandIds = await this.brandsOf(request);
    if (brandIds.length === 0) return { rows: [], ...(request.includeTotal ? { total: 0 } : {}) };
    const query = await this.search.queryFor(brandIds, request.filters);
    if (query === undefined) return this.page(brandIds, request);
    return query === null ? { rows: [], total: 0 } : this.matches(brandIds, query, request);
  }

  private async brandsOf({ caller, brandId }: MediaList): Promise<string[]> {
    const access = brandAccessOf(caller, ['posts.read']);
    const values = [access.organizationIds, access.brandIds, brandId ?? null];
    return (await this.database.query<{ id: string }>(BRANDS, values)).map(({ id }) => id);
  }

  private async page(brandIds: readonly string[], list: MediaList): Promise<MediaFound> {
    const values = [brandIds, list.after ?? LAST_ID, list.limit];
    const rows = await this.database.query<MediaFileRow>(PAGE, values);
    if (!list.includeTotal) return { rows };
    const [counted] = await this.database.query<{ total: number }>(COUNT, [brandIds]);
    return { rows, ...totalOf(counted?.total ?? 0, MAX_TOTAL) };
  }

  private async matches(brandIds: readonly string[], query: string, list: MediaList): Promise<MediaFound> {
    const found = (await this.database.query<{ id: string }>(MATCHES, [query])).map(({ id }) => id);
    const after = list.after ?? LAST_ID;
    const total = list.includeTotal ? totalOf(found.length, MAX_SORTED) : {};
    if (found.length > MAX_SORTED) {
      const values = [brandIds, after, list.limit, query];
      return { rows: await this.database.query<MediaFileRow>(PAGE_OF_MATCHES, values), ...total };
    }
    // Ids in lower case compare as texts like as bytes.
    const newest = found
      .filter((id) => id < after)
      .sort()
      .reverse();
    const page = newest.slice(0, list.limit);
    return { rows: await this.database.query<MediaFileRow>(ROWS, [page, brandIds]), ...total };
  }
}

const totalOf = (counted: number, max: number): Pick<MediaFound, 'total' | 'totalExceeds'> =>
  counted > max ? { totalExceeds: max } : { total: counted };
