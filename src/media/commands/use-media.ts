import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Database, statement, type Transaction } from '#libs/database';
import { RequestCommand } from '#libs/messages';
import { MediaIsNotUsable } from '../domain/media.errors.js';

/**
 * These posts are published: their files can be deleted. One statement for all of them; joins the caller's transaction. It refuses
 * nothing, because the outcome of an attempt must be stored in any case.
 */
export class EndMediaUses extends RequestCommand<{ postIds: readonly string[] }, void> {}

const END = statement(
  'end_media_uses',
  'UPDATE media.use SET needed = false WHERE post_id = ANY($1::uuid[]) AND needed',
);

@CommandHandler(EndMediaUses)
export class EndMediaUsesHandler implements ICommandHandler<EndMediaUses> {
  constructor(private readonly database: Database) {}

  async execute({ request: { postIds } }: EndMediaUses): Promise<void> {
    await this.database.query(END, [postIds]);
  }
}

export interface UseMediaRequest {
  readonly postId: string;
  readonly brandId: string;
  /** All files of the post; [] releases those it had. */
  readonly mediaIds: readonly string[];
  readonly needed: boolean;
}

/**
 * Makes the uses of a post exactly these, in the caller's transaction. Locks the files, so that none is deleted before the
 * transaction ends; append events of the transaction before. A published post (`needed: false`) keeps the files that still
 * exist.
 * @throws MediaIsNotUsable for a needed file that is not of the brand, a poster or not ready, unless the post had it before
 */
export class UseMedia extends RequestCommand<UseMediaRequest, void> {}

/**
 * In the order of ids, so that two posts with the same files do not deadlock. A file that the post had before is usable. A poster is not:
 * it is deleted with its video.
 */
const LOCK_USABLE = statement(
  'lock_usable_media',
  `SELECT id FROM media.file
   WHERE id = ANY($2::uuid[]) AND (brand_id = $3 AND status = 'ready' AND poster_of IS NULL
     OR EXISTS (SELECT FROM media.use WHERE use.post_id = $1 AND use.media_id = file.id))
   ORDER BY id FOR SHARE OF file`,
);

const RELEASE = statement(
  'release_media',
  'DELETE FROM media.use WHERE post_id = $1 AND media_id <> ALL($2::uuid[])',
);

const USE = statement(
  'use_media',
  `INSERT INTO media.use (media_id, post_id, brand_id, needed)
   SELECT media_id, $1, $3, $4 FROM unnest($2::uuid[]) AS media_id
   ON CONFLICT (post_id, media_id) DO UPDATE SET needed = excluded.needed, brand_id = excluded.brand_id`,
);

@CommandHandler(UseMedia)
export class UseMediaHandler implements ICommandHandler<UseMedia> {
  constructor(private readonly database: Database) {}

  execute({ request }: UseMedia): Promise<void> {
    return this.database.transaction((transaction) => this.use(transaction, request));
  }

  private async use(
    transaction: Transaction,
    { postId, brandId, mediaIds, needed }: UseMediaRequest,
  ): Promise<void> {
    const wanted = [...new Set(mediaIds)];
    const usable = wanted.length === 0 ? [] : await this.lock(transaction, [postId, wanted, brandId]);
    const unusable = wanted.filter((id) => !usable.includes(id));
    if (needed && unusable.length > 0) throw new MediaIsNotUsable(unusable);
    await transaction.query(RELEASE, [postId, usable]);
    if (usable.length > 0) await transaction.query(USE, [postId, usable, brandId, needed]);
  }

  private async lock(transaction: Transaction, values: readonly unknown[]): Promise<string[]> {
    return (await transaction.query<{ id: string }>(LOCK_USABLE, values)).map(({ id }) => id);
  }
}
