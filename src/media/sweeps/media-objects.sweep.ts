import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, statement } from '#libs/database';
import { Leases, PeriodicSweep } from '#libs/due-work';
import { ObjectStorage } from '#libs/object-storage';
import { UnownedObjectsSweep } from '#libs/uploads';
import { MediaObjects } from '../media-objects.store.js';

const EVERY_MS = 3_600_000;
const LEASE = 'sweep:unknown-uploads';
const LEASE_MS = 600_000;
/** The id of an upload is stored a moment after its begin. A day also covers clocks that differ. */
const MIN_AGE_MS = 86_400_000;

/** A file, or an object that waits for its removal, knows the upload. */
const KNOWN = statement(
  'find_known_media_uploads',
  `SELECT upload_id AS id FROM media.file WHERE object_key = ANY($1::text[]) AND upload_id = ANY($2::text[])
   UNION SELECT upload_id FROM media.object_to_remove WHERE key = ANY($1::text[]) AND upload_id = ANY($2::text[])`,
);

/** Aborts uploads in parts that the store has and no row knows: the process died before it stored their id. */
@Injectable()
export class UnknownUploadsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {
    super(EVERY_MS);
  }

  /** @returns how many were aborted; 0 when another replica holds the lease. */
  async sweep(): Promise<number> {
    const aborted = await this.leases.whileHeld(this.database, LEASE, LEASE_MS, () => this.abortUnknown());
    return aborted ?? 0;
  }

  private async abortUnknown(): Promise<number> {
    let aborted = 0;
    const limit = this.clock.now().getTime() - MIN_AGE_MS;
    for await (const page of this.storage.multipart.open('media/')) {
      if (this.isStopping) return aborted;
      const old = page.filter(({ begunAt }) => begunAt !== null && begunAt.getTime() < limit);
      const values = [old.map(({ key }) => key), old.map(({ uploadId }) => uploadId)];
      const rows = await this.database.query<{ id: string }>(KNOWN, values);
      const known = new Set(rows.map(({ id }) => id));
      for (const upload of old.filter(({ uploadId }) => !known.has(uploadId))) {
        await this.storage.multipart.abort(upload);
        aborted += 1;
      }
    }
    return aborted;
  }
}

/** Removes objects without a file: abandoned uploads, files that were deleted or rejected, and what was derived from them. */
@Injectable()
export class MediaObjectsSweep extends UnownedObjectsSweep {
  constructor(database: Database, leases: Leases, objects: MediaObjects) {
    super(database, leases, objects, 'sweep:media-objects');
  }
}
