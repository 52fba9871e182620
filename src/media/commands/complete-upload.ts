import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { retryOnConflict } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { type ObjectHead, ObjectStorage } from '#libs/object-storage';
import { UploadDoesNotMatch, UploadIsNotFinished } from '../domain/media.errors.js';
import { partCountOf } from '../domain/upload-plan.js';
import { MediaLog } from '../media.stream.js';
import { MediaFiles } from '../media.store.js';
import { MediaObjects, OBJECT_IS_GONE } from '../media-objects.store.js';
import { MediaAccess } from '../queries/media.access.js';
import { MEDIA_FILE_COLUMNS, type MediaFileRow } from '../views/media-file.view.js';

/**
 * Confirms that the store has the declared file, and hands it to inspection. Idempotent: the file of an earlier call is
 * returned as it is now. A file of another length or checksum is rejected and removed. A file that the store had lost is ready again if
 * its object is back.
 */
export class CompleteUpload extends RequestCommand<{ mediaId: string; caller: Caller }, MediaFileRow> {}

const COMPLETE = statement(
  'complete_media_upload',
  `UPDATE media.file SET status = 'inspecting', etag = $2, inspect_due_at = now(), version = version + 1, updated_at = now()
   WHERE id = $1 AND status = 'uploading' RETURNING ${MEDIA_FILE_COLUMNS}`,
);

const REJECT = statement(
  'reject_media_upload',
  `UPDATE media.file SET status = 'rejected', rejection = $2, version = version + 1, updated_at = now()
   WHERE id = $1 AND status = 'uploading' RETURNING id`,
);

/** Also its renditions are made that could not be without it. */
const RESTORE = statement(
  'restore_lost_media',
  `WITH lost AS (
     UPDATE media.file SET status = 'ready', rejection = NULL, version = version + 1, updated_at = now()
     WHERE id = $1 AND version = $2 RETURNING ${MEDIA_FILE_COLUMNS}),
   again AS (
     UPDATE media.rendition SET status = 'pending', failure = NULL, due_at = now(), awaited_since = now()
     FROM lost WHERE media_id = lost.id AND failure->>'code' = '${OBJECT_IS_GONE.code}')
   SELECT * FROM lost`,
);

@CommandHandler(CompleteUpload)
export class CompleteUploadHandler implements ICommandHandler<CompleteUpload> {
  constructor(
    private readonly database: Database,
    private readonly access: MediaAccess,
    private readonly storage: ObjectStorage,
    private readonly objects: MediaObjects,
    private readonly log: MediaLog,
    private readonly files: MediaFiles,
  ) {}

  async execute({ request: { mediaId, caller } }: CompleteUpload): Promise<MediaFileRow> {
    const file = await this.access.find(mediaId, caller, 'posts.write');
    if (isLost(file)) return this.lookAgain(file, caller);
    if (file.status !== 'uploading') return settled(file);
    const object = await this.uploaded(file);
    if (object === null) throw new UploadIsNotFinished();
    if (!isDeclared(file, object)) {
      await retryOnConflict(this.database, () => this.reject(mediaId, caller));
      await this.objects.discard(file.object_key);
      throw new UploadDoesNotMatch();
    }
    const [completed] = await this.database.query<MediaFileRow>(COMPLETE, [mediaId, object.etag]);
    return completed ?? settled(await this.access.find(mediaId, caller, 'posts.write'));
  }

  /** @returns the file, unchanged as long as the store has no object with the inspected bytes */
  private async lookAgain(file: MediaFileRow, caller: Caller): Promise<MediaFileRow> {
    const { id: mediaId, brand_id: brandId } = file;
    const object = await this.storage.head(file.object_key);
    if (object?.etag !== file.etag) return file;
    return this.files.change({ mediaId, caller }, (now) =>
      isLost(now) ? { event: { type: 'MediaAdded', data: { mediaId, brandId } }, write: RESTORE } : null,
    );
  }

  /** The object of the file. Of an upload in parts it exists once they are joined, perhaps by another replica. */
  private async uploaded(file: MediaFileRow): Promise<ObjectHead | null> {
    const { object_key: key, upload_id: uploadId } = file;
    if (uploadId !== null) {
      const parts = await this.storage.multipart.parts({ key, uploadId });
      if (parts !== null) {
        assertAllThere(file, parts);
        await this.storage.multipart.complete({ key, uploadId, parts, length: Number(file.bytes) });
      }
    }
    return this.storage.head(key);
  }

  /** Does nothing when another replica has settled the upload. */
  private async reject(mediaId: string, caller: Caller): Promise<void> {
    const file = await this.access.find(mediaId, caller, 'posts.write');
    const { brand_id: brandId, organization_id: organizationId } = file;
    const { code, message } = new UploadDoesNotMatch();
    await this.database.transaction(async (transaction) => {
      const event = { type: 'MediaRejected', data: { mediaId, brandId, code } } as const;
      await this.log.append(transaction, caller, { organizationId, brandId }, event);
      await this.access.hold(file);
      const values = [mediaId, JSON.stringify({ code, message })];
      if ((await transaction.query(REJECT, values)).length === 0) throw new UploadDoesNotMatch();
    });
  }
}

function assertAllThere(file: MediaFileRow, parts: readonly { readonly partNumber: number }[]): void {
  const count = partCountOf({ bytes: Number(file.bytes), partBytes: file.part_bytes });
  const there = new Set(parts.map(({ partNumber }) => partNumber));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((one) => !there.has(one));
  if (missing.length > 0) throw new UploadIsNotFinished(missing);
}

/** A store that keeps no checksum has verified the one that the address binds. */
const isDeclared = (file: MediaFileRow, object: ObjectHead): boolean =>
  object.length === Number(file.bytes) &&
  (file.sha256 === null || object.sha256 === null || object.sha256 === file.sha256);

/** It was ready before the store lost its object. */
const isLost = ({ status, facts }: MediaFileRow): boolean => status === 'rejected' && facts !== null;

/** A later completion answers like the first one. */
function settled(file: MediaFileRow): MediaFileRow {
  if (file.status === 'uploading') throw new UploadIsNotFinished();
  if (file.rejection?.code === new UploadDoesNotMatch().code) throw new UploadDoesNotMatch();
  return file;
}
