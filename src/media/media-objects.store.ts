import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { ObjectHasChanged, ObjectStorage } from '#libs/object-storage';
import { UnownedObjects } from '#libs/uploads';
import type { Rejection } from './inspection/domain/inspection.types.js';

/** Objects without a file or rendition: originals, thumbnails, previews, renditions. */
@Injectable()
export class MediaObjects extends UnownedObjects {
  constructor(database: Database, storage: ObjectStorage) {
    super(database, storage, 'media.object_to_remove');
  }
}

/** Of a file whose object is gone. */
export const OBJECT_IS_GONE = {
  code: 'media_missing',
  message: 'The stored bytes of the file no longer exist. Upload the file again.',
} as const satisfies Rejection;

/**
 * Whether the store itself says that the object does not exist or has other bytes. A 404 to a presigned address may also come from
 * a proxy or a missing bucket. GET, because a refused HEAD has no body that tells them apart.
 * @throws ObjectStorageIsUnavailable when the store does not say
 */
export async function isObjectGone(storage: ObjectStorage, key: string, etag: string): Promise<boolean> {
  try {
    const object = await storage.get(key, { etag, range: { start: 0, end: 1 } });
    object?.body.destroy();
    return object === null;
  } catch (error) {
    if (error instanceof ObjectHasChanged) return true;
    throw error;
  }
}
