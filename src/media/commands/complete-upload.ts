import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { retryOnConflict } from '#libs/event-store';
import type { ObjectHead } from '#libs/object-storage';
import { ObjectStorage } from '#libs/object-storage';
import { UploadDoesNotMatch, UploadIsNotFinished } from '../domain/media.errors.js';
import { partCountOf } from '../domain/upload-plan.js';
import { MediaLog } from '../media.log.js';
import { MediaObjects } from '../objects/media.objects.js';
import { MediaAccess } from '../queries/media.access.js';
import type { MediaFileRow } from '../views/media-file.view.js';
import { MEDIA_FILE_COLUMNS } from '../views/media-file.view.js';

export interface CompleteUploadRequest {
  readonly mediaId: string;
  readonly caller: Caller;
}

/**
 * Confirms that the store has the declared file, and hands it to inspection. Idempotent: the file of an earlier call is
 * returned as it is now. A file of another length or checksum is rejected and removed.
 * @throws MediaNotFound, ScopeIsMissing, UploadIsNotFinished, UploadDoesNotMatch, ObjectStorageIsUnavailable
 */
export class CompleteUpload extends Command<MediaFileRow> {
  constructor(readonly request: CompleteUploadRequest) {
    super();
  }
}

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

@CommandHandler(CompleteUpload)
export class CompleteUploadHandler implements ICommandHandler<CompleteUpload> {
  constructor(
    private readonly database: Database,
    private readonly access: MediaAccess,
    private readonly storage: ObjectStorage,
    private readonly objects: MediaObjects,
    private readonly log: MediaLog,
  ) {}

  async execute({ request: { mediaId, caller } }: CompleteUpload): Promise<MediaFileRow> {
    const file = await this.access.find(mediaId, caller, 'posts.write');
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

  /** The object of the file. Of an upload in parts it exists once they are joined, perhaps by another replica. */
  private async uploaded(file: MediaFileRow): Promise<ObjectHead | null> {
    const { object_key: key, upload_id: uploadId } = file;
    if (uploadId !== null) {
      const parts = await this.storage.listParts({ key, uploadId });
      if (parts !== null) {
        assertAllThere(file, parts);
        await this.storage.completeMultipart({ key, uploadId, parts, length: Number(file.bytes) });
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

/** A later completion answers like the first one. */
function settled(file: MediaFileRow): MediaFileRow {
  if (file.status === 'uploading') throw new UploadIsNotFinished();
  if (file.rejection?.code === new UploadDoesNotMatch().code) throw new UploadDoesNotMatch();
  return file;
}
