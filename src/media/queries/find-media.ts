import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';
import type { MediaFileRow, MediaSummary } from '../views/media-file.view.js';
import { MEDIA_FILE_COLUMNS, mediaSummaryOf } from '../views/media-file.view.js';

export interface MediaToFind {
  readonly brandId: string;
  readonly ids: readonly string[];
}

/**
 * The files of the brand with these ids, in the order of `ids`; others are omitted. Does not check the caller's access to the
 * brand: the calling feature does.
 */
export class FindMedia extends Query<MediaSummary[]> {
  constructor(readonly request: MediaToFind) {
    super();
  }
}

const FIND = statement(
  'find_media',
  `SELECT ${MEDIA_FILE_COLUMNS} FROM media.file WHERE brand_id = $1 AND id = ANY($2::uuid[])`,
);

@QueryHandler(FindMedia)
export class FindMediaHandler implements IQueryHandler<FindMedia> {
  constructor(private readonly database: Database) {}

  async execute({ request: { brandId, ids } }: FindMedia): Promise<MediaSummary[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<MediaFileRow>(FIND, [brandId, ids]);
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => found.get(id) ?? []).map(mediaSummaryOf);
  }
}
