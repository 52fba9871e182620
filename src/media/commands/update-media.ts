import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { statement } from '#libs/database';
import type { MediaField } from '../domain/media.events.js';
import { MediaFiles, type MediaToChange } from '../media.store.js';
import { assertNotNeeded } from '../queries/media.uses.js';
import { MEDIA_FILE_COLUMNS, type MediaFileRow } from '../views/media-file.view.js';

/** What people write about a file. */
export interface MediaDetails {
  readonly altText: string | null;
  readonly tags: readonly string[];
  /** What stays visible when a rendition is cropped; 0 to 1 from the left and from the top. */
  readonly focusPoint: { readonly x: number; readonly y: number };
}

export interface UpdateMediaRequest extends MediaToChange {
  readonly changes: Partial<MediaDetails>;
}

/**
 * Omitted details stay; equal values are no change. An automation changes neither alt text nor focus point of a file that an
 * unpublished post uses: both are published, and a person may have approved them. docs/design/media.md
 * @throws MediaNotFound, ScopeIsMissing, VersionIsStale, MediaIsInUse
 */
export class UpdateMedia extends Command<MediaFileRow> {
  constructor(readonly request: UpdateMediaRequest) {
    super();
  }
}

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
