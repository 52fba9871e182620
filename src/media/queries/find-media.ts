import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { MediaAddresses } from '../host/media-addresses.js';
import {
  MEDIA_FILE_COLUMNS,
  type MediaFileRow,
  type MediaSummary,
  mediaSummaryOf,
} from '../views/media-file.view.js';
import { MediaAccess } from './media.access.js';

/** The file, if the caller has the scope in its brand. */
export class AuthorizeMedia extends RequestQuery<
  { mediaId: string; caller: Caller; scope: Scope },
  MediaSummary
> {}

@QueryHandler(AuthorizeMedia)
export class AuthorizeMediaHandler implements IQueryHandler<AuthorizeMedia> {
  constructor(private readonly access: MediaAccess) {}

  async execute({ request: { mediaId, caller, scope } }: AuthorizeMedia): Promise<MediaSummary> {
    return mediaSummaryOf(await this.access.find(mediaId, caller, scope));
  }
}

export interface MediaOfBrand extends MediaSummary {
  readonly brandId: string;
  /** Of a small picture of the file; null without one. */
  readonly thumbnailUrl: string | null;
}

/**
 * These files in their order, without those that are not of the brand they are named with, and without posters, which no post
 * can use. Does not check the caller's access to the brands: the calling feature does.
 */
export class FindMedia extends RequestQuery<
  { files: readonly { brandId: string; mediaId: string }[] },
  MediaOfBrand[]
> {}

const FIND = statement(
  'find_media',
  `SELECT ${MEDIA_FILE_COLUMNS} FROM media.file WHERE id = ANY($1::uuid[]) AND poster_of IS NULL`,
);

@QueryHandler(FindMedia)
export class FindMediaHandler implements IQueryHandler<FindMedia> {
  constructor(
    private readonly database: Database,
    private readonly addresses: MediaAddresses,
  ) {}

  async execute({ request: { files } }: FindMedia): Promise<MediaOfBrand[]> {
    if (files.length === 0) return [];
    const rows = await this.database.query<MediaFileRow>(FIND, [files.map(({ mediaId }) => mediaId)]);
    const found = new Map(rows.map((row) => [row.id, this.fileOf(row)]));
    return files.flatMap(({ brandId, mediaId }) => {
      const file = found.get(mediaId);
      return file?.brandId === brandId ? file : [];
    });
  }

  private fileOf(row: MediaFileRow): MediaOfBrand {
    const { id: mediaId, thumbnail_key: object } = row;
    const thumbnailUrl = object === null ? null : this.addresses.of({ mediaId, object });
    return { ...mediaSummaryOf(row), brandId: row.brand_id, thumbnailUrl };
  }
}
