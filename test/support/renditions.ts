import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '#libs/database';
import type { ObjectStorage } from '#libs/object-storage';

interface Pending {
  readonly id: string;
  readonly media_id: string;
}

const PENDING = `SELECT id, media_id FROM media.rendition WHERE status = 'pending'`;

/** Ends the work on all pending renditions, as the worker does. @param bytes of each of them */
export async function finishRenditions(
  database: Database,
  storage: ObjectStorage,
  bytes: Uint8Array,
): Promise<void> {
  for (const { id, media_id } of await database.query<Pending>(PENDING)) {
    const key = `media/${media_id}/renditions/${id}.png`;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const object = { body: Readable.from([bytes]), length: bytes.length, sha256, contentType: 'image/png' };
    const etag = await storage.put(key, object);
    await database.query(
      `UPDATE media.rendition SET status = 'ready', object_key = $2, etag = $3, content_type = 'image/png',
         bytes = $4, width = 1200, height = 800 WHERE id = $1`,
      [id, key, etag, bytes.length],
    );
  }
}

/** No rendition can be made of these files. */
export async function failRenditions(database: Database, message: string): Promise<void> {
  await database.query(
    `UPDATE media.rendition SET status = 'failed', failure = $1 WHERE status = 'pending'`,
    [JSON.stringify({ code: 'cannot_fit', message })],
  );
}
