import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import { Database, statement } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { UploadTookTooLong } from '../domain/attachment.errors.js';

/** Longer than the upload to the store and the insert of the row: the whole file is on disk before. */
const ADOPTED_WITHIN = '1 hour';
/** Delay before a failed removal is repeated. */
const RETRY_AFTER = '5 minutes';

const ANNOUNCE = statement(
  'announce_object',
  `INSERT INTO contacts.object_to_remove (key, adoptable, due_at)
   VALUES ($1, true, now() + interval '${ADOPTED_WITHIN}')`,
);

const ADOPT = statement(
  'adopt_object',
  'DELETE FROM contacts.object_to_remove WHERE key = $1 AND adoptable RETURNING key',
);

const claim = (name: string, which: string) =>
  statement(
    name,
    `UPDATE contacts.object_to_remove SET adoptable = false, due_at = now() + interval '${RETRY_AFTER}'
     WHERE ${which} RETURNING key`,
  );

const CLAIM = claim('claim_object_to_remove', 'key = $1');

const CLAIM_DUE = claim(
  'claim_objects_to_remove',
  `key IN (SELECT key FROM contacts.object_to_remove WHERE due_at <= now()
           ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
);

const DELETE_KEYS = statement(
  'forget_objects_to_remove',
  'DELETE FROM contacts.object_to_remove WHERE key = ANY($1::text[])',
);

/**
 * Tracks objects without an attachment: announced before the upload, adopted with the row, removed otherwise. An object
 * whose removal has begun cannot be adopted.
 */
@Injectable()
export class AttachmentObjects {
  private readonly logger = new Logger(AttachmentObjects.name);

  constructor(
    private readonly database: Database,
    private readonly storage: ObjectStorage,
  ) {}

  /** Must be called before the object is stored, outside of any transaction that can be rolled back. */
  async announce(key: string): Promise<void> {
    await this.database.query(ANNOUNCE, [key]);
  }

  /** The object belongs to the row that this transaction inserts. @throws UploadTookTooLong when it is being removed */
  async adopt(transaction: Transaction, key: string): Promise<void> {
    if ((await transaction.query(ADOPT, [key])).length === 0) throw new UploadTookTooLong();
  }

  /** Removes the object at once unless it was adopted. Never throws: the sweep repeats a failed removal. */
  async discard(key: string): Promise<void> {
    try {
      if ((await this.database.query(CLAIM, [key])).length > 0) await this.remove([key]);
    } catch (error) {
      this.logger.warn(error, 'object removal failed; the sweep repeats it');
    }
  }

  /**
   * Removes up to `limit` objects that are due; an object whose removal fails is due again in a few minutes.
   * @param until by performance.now(): no removal starts later. @returns how many were due.
   * @throws ObjectStorageIsUnavailable when a removal failed; all others are tried nevertheless
   */
  async removeDue(limit: number, until: number): Promise<number> {
    const keys = (await this.database.query<{ key: string }>(CLAIM_DUE, [limit])).map(({ key }) => key);
    await this.remove(keys, until);
    return keys.length;
  }

  private async remove(keys: readonly string[], until = Infinity): Promise<void> {
    const removed: string[] = [];
    const failures: unknown[] = [];
    for (const key of keys) {
      if (performance.now() > until) break;
      await this.storage.delete(key).then(
        () => removed.push(key),
        (error: unknown) => failures.push(error),
      );
    }
    await this.database.query(DELETE_KEYS, [removed]);
    if (failures.length > 0) throw failures[0];
  }
}
