import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';

const EVERY_MS = 60_000;
const BATCH_SIZE = 200;

/**
 * The last request of an upload may begin just before its address expires, and then takes a while. Triggers keep the keys of
 * objects and the ids of uploads in parts for removal, and count the bytes.
 */
const DELETE = statement(
  'delete_expired_media',
  `DELETE FROM media.file WHERE id IN (
     SELECT id FROM media.file
     WHERE status = 'uploading' AND upload_expires_at < now() - interval '1 hour'
       OR status = 'rejected' AND facts IS NULL AND updated_at < now() - interval '24 hours'
     LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/**
 * Deletes uploads that were never completed, and the entries of files that inspection rejected after 24 hours. Every replica may run it
 * at any time without a lease: locked rows are skipped.
 */
@Injectable()
export class ExpiredFilesSweep extends PeriodicSweep {
  constructor(private readonly database: Database) {
    super(EVERY_MS);
  }

  sweep(): Promise<number> {
    return this.inBatches(BATCH_SIZE, async () => (await this.database.query(DELETE)).length);
  }
}
