import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { brandAccessOf, type Caller, isBrandAccessible } from '#libs/auth';
import { Database, inGroup, LAST_ID, statement } from '#libs/database';
import { counted, type Counted, MAX_TOTAL } from '#libs/http';
import { RequestQuery } from '#libs/messages';
import { MEDIA_FILE_COLUMNS, type MediaFileRow } from '../views/media-file.view.js';
import { MatchingMedia } from './media.matches.js';
import { type MediaFilters, MediaSearch, type MediaTerms } from './media.search.js';

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

export interface MediaFound extends Counted {
  readonly rows: readonly MediaFileRow[];
}

/** Newest first, also with filters and words. Posters are omitted. */
export class ListMedia extends RequestQuery<MediaList, MediaFound> {}

const BRANDS = statement(
  'find_brands_of_media',
  `SELECT b.id FROM brands.brand_owner b WHERE ${isBrandAccessible('b')} AND ($3::uuid IS NULL OR b.id = $3)`,
);

/** $1 brands, $2 id of the last file before, $3 limit. Reads per brand at most one page along the index of the order. */
const PAGE = statement(
  'page_media',
  `SELECT f.* FROM unnest($1::uuid[]) AS mine (brand_id) CROSS JOIN LATERAL (
     SELECT ${MEDIA_FILE_COLUMNS} FROM media.file
     WHERE ${inGroup('brand_id', 'mine.brand_id')} AND id < $2 AND poster_of IS NULL
     ORDER BY brand_id DESC, id DESC LIMIT $3) AS f
   ORDER BY f.id DESC LIMIT $3`,
);

const COUNT = statement(
  'count_media',
  `SELECT count(*)::int AS total FROM (
     SELECT FROM unnest($1::uuid[]) AS mine (brand_id) CROSS JOIN LATERAL (
       SELECT FROM media.file WHERE ${inGroup('brand_id', 'mine.brand_id')} AND poster_of IS NULL
       ORDER BY brand_id, id LIMIT ${MAX_TOTAL + 1}) AS f
     LIMIT ${MAX_TOTAL + 1}) AS counted`,
);

const ROWS = statement(
  'find_media_rows',
  `SELECT ${MEDIA_FILE_COLUMNS} FROM media.file WHERE id = ANY($1::uuid[]) AND brand_id = ANY($2::uuid[]) ORDER BY id DESC`,
);

@QueryHandler(ListMedia)
export class ListMediaHandler implements IQueryHandler<ListMedia> {
  constructor(
    private readonly database: Database,
    private readonly search: MediaSearch,
    private readonly matching: MatchingMedia,
  ) {}

  async execute({ request }: ListMedia): Promise<MediaFound> {
    const brandIds = await this.brandsOf(request);
    const terms = brandIds.length === 0 ? null : await this.search.termsFor(request.filters);
    const found = terms === null ? { rows: [], total: 0 } : await this.found(brandIds, terms, request);
    return request.includeTotal ? found : { rows: found.rows };
  }

  private async brandsOf({ caller, brandId }: MediaList): Promise<string[]> {
    const access = brandAccessOf(caller, ['posts.read']);
    const values = [access.organizationIds, access.brandIds, brandId ?? null];
    return (await this.database.query<{ id: string }>(BRANDS, values)).map(({ id }) => id);
  }

  private async found(
    brandIds: readonly string[],
    terms: MediaTerms,
    { after, limit, includeTotal }: MediaList,
  ): Promise<MediaFound> {
    const before = after ?? LAST_ID;
    if (terms.terms.length === 0 && terms.prefix === null) {
      const rows = await this.database.query<MediaFileRow>(PAGE, [brandIds, before, limit]);
      return { rows, ...(includeTotal ? await this.totalOf(brandIds) : {}) };
    }
    const wanted = { ...terms, brandIds, before, limit };
    const { ids, ...totals } = await this.matching.find(wanted, after === null);
    return { rows: await this.database.query<MediaFileRow>(ROWS, [ids, brandIds]), ...totals };
  }

  private async totalOf(brandIds: readonly string[]): Promise<Counted> {
    const [count] = await this.database.query<{ total: number }>(COUNT, [brandIds]);
    return counted(count?.total ?? 0);
  }
}
