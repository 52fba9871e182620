import { randomUUIDv7 } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { MediaObjects } from '../../media-objects.store.js';
import type { RenderedFile } from '../domain/render.types.js';
import type { RenditionFailure } from '../views/rendition.view.js';
import type { ClaimedRendition } from './rendition-claims.store.js';

const HELD = `id = $1 AND attempts = $2 AND status = 'pending'`;

const RECORD = statement(
  'record_rendition',
  `UPDATE media.rendition SET status = 'ready', is_claimed = false, object_key = $3, etag = $4, content_type = $5, bytes = $6,
     width = $7, height = $8, duration_ms = $9, failure = NULL
   WHERE ${HELD} RETURNING id`,
);

const FAIL = statement(
  'fail_rendition',
  `UPDATE media.rendition SET status = 'failed', is_claimed = false, failure = $3 WHERE ${HELD} RETURNING id`,
);

/** Rolls the transaction back. */
class IsOutdated extends Error {}

/** Stores what was rendered, unless another worker has taken the rendition over or it was deleted. */
@Injectable()
export class RenditionResults {
  constructor(
    private readonly database: Database,
    private readonly storage: ObjectStorage,
    private readonly objects: MediaObjects,
  ) {}

  /**
   * Each attempt has an object of its own: announced before it is stored, and owned by the row in the transaction that records it. What a
   * killed worker stored is removed by the sweep.
   * @param folder of the output; a file elsewhere is not stored
   * @returns false without any effect when the claim is lost
   */
  async store(claimed: ClaimedRendition, output: RenderedFile, folder: string): Promise<boolean> {
    const path = join(folder, basename(output.path));
    const file = await lstat(path);
    if (!file.isFile()) throw new Error(`${path} is no regular file.`);
    const key = `media/${claimed.mediaId}/renditions/${randomUUIDv7()}${extname(path)}`;
    await this.objects.announce(key);
    const body = createReadStream(path);
    try {
      const { contentType, sha256 } = output;
      const etag = await this.storage.put(key, { body, length: file.size, sha256, contentType });
      await this.record(claimed, output, { key, etag, bytes: file.size });
      return true;
    } catch (error) {
      await this.objects.discard(key);
      if (error instanceof IsOutdated) return false;
      throw error;
    } finally {
      // A store that refuses does not read it to its end.
      body.destroy();
    }
  }

  /** @returns false without any effect when the claim is lost */
  async fail({ id, attempts }: ClaimedRendition, { code, message }: RenditionFailure): Promise<boolean> {
    const failure = JSON.stringify({ code, message });
    return (await this.database.query(FAIL, [id, attempts, failure])).length > 0;
  }

  private async record(
    { id, attempts }: ClaimedRendition,
    { contentType, width, height, durationMs }: RenderedFile,
    { key, etag, bytes }: { key: string; etag: string; bytes: number },
  ): Promise<void> {
    const values = [id, attempts, key, etag, contentType, bytes, width, height, durationMs];
    await this.database.transaction(async (transaction) => {
      if ((await transaction.query(RECORD, values)).length === 0) throw new IsOutdated();
      await this.objects.adopt(transaction, key);
    });
  }
}
