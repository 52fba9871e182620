import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { statement } from '#libs/database';
import { RequestCommand } from '#libs/messages';
import type { MediaField } from '../domain/media.events.js';
import { MediaObjects } from '../media-objects.store.js';
import { MediaFiles, type MediaToChange } from '../media.store.js';
import { assertNotNeeded } from '../queries/media.uses.js';
import { MEDIA_FILE_COLUMNS, type MediaFileRow } from '../views/media-file.view.js';

export interface MediaDetails {
  readonly altText: string | null;
  readonly tags: readonly string[];
  /** What stays visible when a rendition is cropped; 0 to 1 from the left and from the top. */
  readonly focusPoint: { readonly x: number; readonly y: number };
}

interface UpdateMediaRequest extends MediaToChange {
  readonly changes: Partial<MediaDetails>;
}

/**
 * Omitted details stay; equal values are no change. An automation changes neither alt text nor focus point of a file that an
 * unpublished post uses: both are published, and a person may have approved them. docs/design/media.md
 */
export class UpdateMedia extends RequestCommand<UpdateMediaRequest, MediaFileRow> {}

const UPDATE = statement(
  'update_media',
  `UPDATE media.file SET alt_text = $3, tags = $4, focus_x = $5, focus_y = $6, version = version + 1, updated_at = now()
   WHERE id = $1 AND version = $2 RETURNING ${MEDIA_FILE_COLUMNS}`,
);

const FIELDS = ['altText', 'tags', 'focusPoint'] as const satisfies readonly MediaField[];

@CommandHandler(UpdateMedia)
export class UpdateMediaHandler implements ICommandHandler<UpdateMedia> {
  constructor(private readonly files: MediaFiles) {}

  execute({ request }: UpdateMedia): Promise<MediaFileRow> {
    const { mediaId, caller, changes } = request;
    return this.files.change(request, (file) => {
      const before = detailsOf(file);
      const after = { ...before, ...changes };
      const changed = FIELDS.filter((field) => !isEqual(before[field], after[field]));
      if (changed.length === 0) return null;
      const { altText, tags, focusPoint } = after;
      const isGuarded = caller.isAutomation && changed.some((field) => field !== 'tags');
      return {
        event: { type: 'MediaChanged', data: { mediaId, brandId: file.brand_id, changed } },
        write: UPDATE,
        values: [altText, tags, focusPoint.x, focusPoint.y],
        check: isGuarded ? (transaction) => assertNotNeeded(transaction, mediaId) : undefined,
      };
    });
  }
}

const detailsOf = (file: MediaFileRow): MediaDetails => ({
  altText: file.alt_text,
  tags: file.tags,
  focusPoint: { x: file.focus_x, y: file.focus_y },
});

/** Columns of type real keep six digits. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Deletes a file permanently with everything derived from it; the objects at once, or when the store is available again.
 */
export class DeleteMedia extends RequestCommand<MediaToChange, void> {}

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
