import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { RequestCommand } from '#libs/messages';
import { ObjectStorage, type PresignedRequest, type UploadedPart } from '#libs/object-storage';
import { PartDoesNotExist, UploadHasExpired, UploadIsComplete } from '../domain/media.errors.js';
import { partLength } from '../domain/upload-plan.js';
import { MediaAccess } from '../queries/media.access.js';
import type { MediaFileRow } from '../views/media-file.view.js';
import { MULTIPART_SECONDS } from './begin-upload.js';

export interface PartToUpload {
  /** From 1. */
  readonly partNumber: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface SignPartsRequest {
  readonly mediaId: string;
  /** [] only lists what the store has. */
  readonly parts: readonly PartToUpload[];
  readonly caller: Caller;
}

export interface SignedPart extends PresignedRequest {
  readonly partNumber: number;
  readonly bytes: number;
}

type StoredPart = Pick<UploadedPart, 'partNumber' | 'sha256'> & Pick<SignedPart, 'bytes'>;

export interface SignedParts {
  readonly parts: readonly SignedPart[];
  readonly uploaded: readonly StoredPart[];
  readonly expiresAt: string;
}

const PART_SECONDS = 3_600;
const MAX_UPLOAD_DAYS = 7;

/**
 * Addresses of parts, and the parts that are stored, so that a client resumes an upload. Each call extends the upload, up to
 * seven days.
 */
export class SignParts extends RequestCommand<SignPartsRequest, SignedParts> {}

const EXTEND = statement(
  'extend_media_upload',
  `UPDATE media.file SET upload_expires_at =
     greatest(upload_expires_at, least(now() + make_interval(secs => $2), created_at + interval '${MAX_UPLOAD_DAYS} days'))
   WHERE id = $1 AND status = 'uploading' AND upload_expires_at > now()
   RETURNING to_char((now() + make_interval(secs => $3)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "expiresAt"`,
);

@CommandHandler(SignParts)
export class SignPartsHandler implements ICommandHandler<SignParts> {
  constructor(
    private readonly database: Database,
    private readonly access: MediaAccess,
    private readonly storage: ObjectStorage,
  ) {}

  async execute({ request: { mediaId, parts, caller } }: SignParts): Promise<SignedParts> {
    const file = await this.access.find(mediaId, caller, 'posts.write');
    if (file.status !== 'uploading') throw new UploadIsComplete();
    const { object_key: key, upload_id: uploadId, part_bytes: partBytes } = file;
    if (partBytes === null) throw new PartDoesNotExist(0);
    const uploaded = uploadId === null ? null : await this.storage.multipart.parts({ key, uploadId });
    if (uploadId === null || uploaded === null) throw new UploadHasExpired();
    const signed = await Promise.all(parts.map((part) => this.sign(file, uploadId, part)));
    const values = [mediaId, MULTIPART_SECONDS, PART_SECONDS];
    const [extended] = await this.database.query<{ expiresAt: string }>(EXTEND, values);
    if (!extended) throw new UploadHasExpired();
    const stored = uploaded.map(({ partNumber, length: bytes, sha256 }) => ({ partNumber, bytes, sha256 }));
    return { parts: signed, uploaded: stored, expiresAt: extended.expiresAt };
  }

  private async sign(file: MediaFileRow, uploadId: string, part: PartToUpload): Promise<SignedPart> {
    const { partNumber, sha256 } = part;
    const length = partLength({ bytes: Number(file.bytes), partBytes: file.part_bytes }, partNumber);
    const upload = { key: file.object_key, uploadId, partNumber, length, sha256 };
    const signed = await this.storage.presignPart({ ...upload, expiresSeconds: PART_SECONDS });
    return { partNumber, bytes: length, ...signed };
  }
}
