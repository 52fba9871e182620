import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';

const EVERY_MS = 3_600_000;
const BATCH_SIZE = 500;
const KEEP_DAYS = 30;

/** $1 days. Failed and pending ones too: a network may have changed its limits. A post that is not published yet keeps its renditions. */
const REMOVE = statement(
  'remove_unneeded_renditions',
  `DELETE FROM media.rendition WHERE id IN (
     SELECT id FROM media.rendition AS old
     WHERE last_needed_at < now() - $1::float8 * interval '1 day' AND NOT is_claimed
       AND NOT EXISTS (SELECT FROM media.use WHERE use.media_id = old.media_id AND use.needed)
     ORDER BY last_needed_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/**
 * Removes renditions that nothing has needed for long. They are made again when they are needed. A trigger leaves their objects to
 * the sweep of objects. Every replica may run it at any time without a lease: locked rows are skipped.
 */
@Injectable()
export class UnneededRenditionsSweep extends PeriodicSweep {
  constructor(private readonly database: Database) {
    super(EVERY_MS);
  }

  sweep(): Promise<number> {
    return this.inBatches(BATCH_SIZE, async () => (await this.database.query(REMOVE, [KEEP_DAYS])).length);
  }
}
