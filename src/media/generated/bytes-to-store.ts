import { randomUUIDv7 } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { MediaObjects } from '../media-objects.store.js';
import { type ClaimedBytes, WaitingBytes } from './waiting-bytes.store.js';

@Injectable()
export class BytesToStore {
  constructor(
    private readonly database: Database,
    private readonly storage: ObjectStorage,
    private readonly objects: MediaObjects,
    private readonly waiting: WaitingBytes,
  ) {}

  /**
   * Each attempt has an object of its own, announced before: what a killed or late process stored is removed by the sweep, and never
   * replaces the object of the file.
   * A store that fails is not asked to remove the object: it may be silent.
   * @param signal ends the wait for the store
   * @returns false when another process was first, or the file was deleted
   * @throws ObjectStorageIsUnavailable, also when `signal` aborts
   */
  async move({ mediaId, bytes, contentType, sha256 }: ClaimedBytes, signal?: AbortSignal): Promise<boolean> {
    const key = `media/${mediaId}/original-${randomUUIDv7()}`;
    await this.objects.announce(key);
    const body = Readable.from([bytes]);
    const object = { body, length: bytes.length, sha256, contentType, signal };
    const etag = await this.storage.put(key, object);
    const isFirst = await this.adopt(mediaId, key, etag);
    if (!isFirst) await this.objects.discard(key);
    return isFirst;
  }

  private adopt(mediaId: string, key: string, etag: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if (!(await this.waiting.stored(transaction, mediaId, key, etag))) return false;
      await this.objects.adopt(transaction, key);
      return true;
    });
  }
}
