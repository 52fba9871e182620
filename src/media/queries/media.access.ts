import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { StreamHasMoved } from '#libs/event-store';
import { GetBrand } from '../../brands/index.js';
import { MediaNotFound } from '../domain/media.errors.js';
import { MEDIA_FILE_COLUMNS, type MediaFileRow } from '../views/media-file.view.js';

export type OwnedFile = MediaFileRow & { readonly organization_id: string };

const FIND = statement(
  'find_media_file',
  `SELECT file.*, owner.organization_id
   FROM (SELECT ${MEDIA_FILE_COLUMNS} FROM media.file WHERE id = $1) AS file
   JOIN brands.brand_owner owner ON owner.id = file.brand_id`,
);

/** Access to files by id: it follows the brand. */
@Injectable()
export class MediaAccess {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
  ) {}

  /** @throws MediaNotFound when unknown or of another organization; ScopeIsMissing */
  async find(mediaId: string, caller: Caller, scope: Scope): Promise<OwnedFile> {
    const [file] = await this.database.query<OwnedFile>(FIND, [mediaId]);
    if (!file) throw new MediaNotFound();
    const owner = { organizationId: file.organization_id, brandId: file.brand_id };
    caller.must(scope, owner, () => new MediaNotFound());
    return file;
  }

  /**
   * Locks the brand of the file: no transfer commits before the running transaction ends. Runs after the append, which must be the
   * first write, and before any lock of files and counters.
   * @throws StreamHasMoved when the brand was transferred since the file was read: read and decide again
   */
  async hold({ id, brand_id: brandId, organization_id: owner, version }: OwnedFile): Promise<void> {
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId, held: true }));
    if (organizationId !== owner) throw new StreamHasMoved(id, version, null, 'version');
  }
}
