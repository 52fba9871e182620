import { type Executor, statement, type Transaction } from '#libs/database';
import { MediaIsInUse } from '../domain/media.errors.js';

export interface MediaUse {
  readonly postId: string;
  /** The post is not published: the file cannot be deleted. */
  readonly needed: boolean;
}

/** A published post no longer needs the file; a file can have any number of them. */
const MAX_USES = 100;

const FIND = statement(
  'find_media_uses',
  `SELECT post_id AS "postId", needed FROM media.use WHERE media_id = $1
   ORDER BY needed DESC, post_id DESC LIMIT ${MAX_USES}`,
);

/** A post that begins to use the file holds a share lock until its transaction ends. */
const LOCK = statement('lock_media_file', 'SELECT FROM media.file WHERE id = $1 FOR UPDATE');

/** Unpublished posts first, then newest first; at most 100. */
export function usesOf(executor: Executor, mediaId: string): Promise<MediaUse[]> {
  return executor.query<MediaUse>(FIND, [mediaId]);
}

/** Locks the file: no post begins to use it before the transaction ends. */
export async function assertNotNeeded(transaction: Transaction, mediaId: string): Promise<void> {
  await transaction.query(LOCK, [mediaId]);
  const needed = (await usesOf(transaction, mediaId)).filter((use) => use.needed);
  if (needed.length > 0) throw new MediaIsInUse(needed.map(({ postId }) => postId));
}
