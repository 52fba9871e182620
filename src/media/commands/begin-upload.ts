import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { BrandNotFound, type Caller } from '#libs/auth';
import { Database, statement, type Transaction } from '#libs/database';
import { RequestCommand } from '#libs/messages';
import { ObjectStorage, type PresignedRequest } from '#libs/object-storage';
import { cleanFileName, FileIsTooLarge, StorageQuota } from '#libs/uploads';
import { GetBrand } from '../../brands/index.js';
import { PosterIsNotPossible } from '../domain/media.errors.js';
import { MAX_BYTES, partCountOf, planUpload, type UploadPlan } from '../domain/upload-plan.js';
import { MEDIA_FILE_COLUMNS, type MediaFileRow } from '../views/media-file.view.js';

export interface NewFile {
  readonly fileName: string;
  /** As the client declares it; inspection compares it with the content. */
  readonly contentType: string;
  /** At least 1. */
  readonly bytes: number;
  /** Hexadecimal; required for an upload by one request. */
  readonly sha256?: string;
  readonly altText: string | null;
  readonly tags: readonly string[];
  /** The video of the brand that this picture represents. */
  readonly posterOf: string | null;
}

export interface BeginUploadRequest {
  readonly brandId: string;
  readonly file: NewFile;
  readonly caller: Caller;
}

export type UploadInstructions =
  | (PresignedRequest & { readonly kind: 'single'; readonly method: 'PUT'; readonly expiresAt: string })
  | {
      readonly kind: 'multipart';
      readonly partBytes: number;
      readonly partCount: number;
      readonly expiresAt: string;
    };

export interface BegunUpload {
  readonly file: MediaFileRow;
  readonly upload: UploadInstructions;
}

const SINGLE_SECONDS = 3_600;
/** An upload in parts ends this long after the last request for addresses. */
export const MULTIPART_SECONDS = 86_400;

/** Makes the file and tells where to upload it. The declared bytes count against the quota from now on. */
export class BeginUpload extends RequestCommand<BeginUploadRequest, BegunUpload> {}

const INSERT = statement(
  'begin_media_upload',
  `INSERT INTO media.file (id, brand_id, status, kind, file_name, content_type, bytes, sha256, object_key, part_bytes,
     upload_expires_at, alt_text, tags, created_by_type, created_by, poster_of)
   VALUES ($1, $2, 'uploading', $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11, $12, $13, $14, $15)
   RETURNING ${MEDIA_FILE_COLUMNS}`,
);

/** Locked against deletion until the poster is inserted. */
const FIND_VIDEO = statement(
  'find_video_of_poster',
  `SELECT id FROM media.file
   WHERE id = $1 AND brand_id = $2 AND kind = 'video' AND status <> 'rejected' FOR KEY SHARE`,
);

const CHARGED = statement(
  'find_charged_organization',
  'SELECT organization_id FROM media.storage_of_brand WHERE brand_id = $1',
);

const SET_UPLOAD = statement(
  'set_media_upload',
  `UPDATE media.file SET upload_id = $2 WHERE id = $1 RETURNING ${MEDIA_FILE_COLUMNS}`,
);

const DELETE = statement('delete_begun_media', 'DELETE FROM media.file WHERE id = $1');

@CommandHandler(BeginUpload)
export class BeginUploadHandler implements ICommandHandler<BeginUpload> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly quota: StorageQuota,
    private readonly storage: ObjectStorage,
  ) {}

  async execute({ request }: BeginUpload): Promise<BegunUpload> {
    const { file: declared } = request;
    const organizationId = await this.authorize(request, { held: false });
    const plan = planUpload(declared);
    if (declared.posterOf !== null && plan.kind !== 'image') throw new PosterIsNotPossible();
    if (declared.bytes > MAX_BYTES[plan.kind])
      throw new FileIsTooLarge(MAX_BYTES[plan.kind], 'too-large', 'Choose a smaller file.', '#/bytes');
    const file = await this.quota.inTurn(organizationId, () => this.insert(request, plan));
    return plan.partBytes === null
      ? { file, upload: await this.single(file) }
      : this.multipart(file, plan.partBytes);
  }

  /**
   * @param held no transfer of the brand commits before the running transaction ends
   * @returns the organization of the brand
   */
  private async authorize({ brandId, caller }: BeginUploadRequest, { held }: { readonly held: boolean }) {
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId, held }));
    caller.must('posts.write', { organizationId, brandId }, () => new BrandNotFound());
    return organizationId;
  }

  /** A concurrent upload of the organization waits for the commit of this one, and sees its bytes. */
  private insert(request: BeginUploadRequest, plan: UploadPlan): Promise<MediaFileRow> {
    const { brandId, file, caller } = request;
    const id = randomUUIDv7();
    const isSingle = plan.partBytes === null;
    const values = [
      id,
      brandId,
      plan.kind,
      cleanFileName(file.fileName),
      plan.contentType,
      file.bytes,
      isSingle ? file.sha256 : null,
      `media/${id}/original`,
      plan.partBytes,
      isSingle ? SINGLE_SECONDS : MULTIPART_SECONDS,
      file.altText,
      file.tags,
      caller.type,
      caller.id,
      file.posterOf,
    ];
    return this.database.transaction(async (transaction) => {
      await this.authorize(request, { held: true });
      if (file.posterOf !== null) await assertVideo(transaction, file.posterOf, brandId);
      const [row] = await transaction.query<MediaFileRow>(INSERT, values);
      const [charged] = await transaction.query<{ organization_id: string }>(CHARGED, [brandId]);
      if (!row || !charged) throw new BrandNotFound();
      await this.quota.assertWithinQuota(transaction, charged.organization_id);
      return row;
    });
  }

  private async single(file: MediaFileRow): Promise<UploadInstructions> {
    const signed = await this.storage.presignPut({
      key: file.object_key,
      length: Number(file.bytes),
      contentType: file.content_type,
      sha256: file.sha256 ?? '',
      expiresSeconds: SINGLE_SECONDS,
    });
    return { kind: 'single', method: 'PUT', ...signed, expiresAt: file.upload_expires_at.toISOString() };
  }

  /** Without the store there is no upload: the file is deleted again. */
  private async multipart(file: MediaFileRow, partBytes: number): Promise<BegunUpload> {
    const uploadId = await this.storage.multipart
      .create(file.object_key, file.content_type)
      .catch(async (error: unknown) => {
        await this.database.query(DELETE, [file.id]);
        throw error;
      });
    const [row = file] = await this.database.query<MediaFileRow>(SET_UPLOAD, [file.id, uploadId]);
    const partCount = partCountOf({ bytes: Number(file.bytes), partBytes });
    const expiresAt = file.upload_expires_at.toISOString();
    return { file: row, upload: { kind: 'multipart', partBytes, partCount, expiresAt } };
  }
}

async function assertVideo(transaction: Transaction, videoId: string, brandId: string): Promise<void> {
  const found = await transaction.query(FIND_VIDEO, [videoId, brandId]);
  if (found.length === 0) throw new PosterIsNotPossible();
}
