import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { statement } from '#libs/database';
import { MediaFiles, type MediaToChange } from '../media.store.js';
import { MediaObjects } from '../objects/media.objects.js';
import { assertNotNeeded } from '../queries/media.uses.js';
import { MEDIA_FILE_COLUMNS } from '../views/media-file.view.js';

/**
 * Deletes a file permanently with everything derived from it; the objects at once, or when the store is available again.
 * @throws MediaNotFound, ScopeIsMissing, VersionIsStale, MediaIsInUse, UploadsAreBusy
 */
export class DeleteMedia extends Command<void> {
  constructor(readonly request: MediaToChange) {
    super();
  }
}

/** A trigger keeps the keys of the objects for removal. */
const DELETE = statement(
  'delete_media',
  `DELETE FROM media.file WHERE id = $1 AND version = $2 RETURNING ${MEDIA_FILE_COLUMNS}`,
);

@CommandHandler(DeleteMedia)
export class DeleteMediaHandler implements ICommandHandler<DeleteMedia> {
  constructor(
    private readonly files: MediaFiles,
    private readonly objects: MediaObjects,
  ) {}

  async execute({ request }: DeleteMedia): Promise<void> {
    const { mediaId } = request;
    const file = await this.files.change(request, ({ brand_id: brandId }) => ({
      event: { type: 'MediaDeleted', data: { mediaId, brandId } },
      write: DELETE,
      countsBytes: true,
      check: (transaction) => assertNotNeeded(transaction, mediaId),
    }));
    const { object_key, thumbnail_key, preview_key } = file;
    for (const key of [object_key, thumbnail_key, preview_key])
      if (key !== null) await this.objects.discard(key);
  }
}
