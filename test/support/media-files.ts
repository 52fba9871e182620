import { createHash, randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Database } from '#libs/database';
import { OBJECT_IS_GONE } from '../../src/media/media-objects.store.js';
import type { MediaStatus } from '../../src/media/views/media-file.view.js';
import type { InspectedFacts } from '../../src/media/inspection/domain/inspection.types.js';

/** Facts of a JPEG of 1200 × 800 pixels. */
export const IMAGE_FACTS: InspectedFacts = {
  kind: 'image',
  width: 1_200,
  height: 800,
  durationMs: null,
  frames: null,
  frameRate: null,
  pixelAspectRatio: null,
  isInterlaced: null,
  videoCodec: null,
  audioCodec: null,
  audioChannels: null,
  audioSampleRate: null,
  indexFirst: null,
  hasEditLists: null,
  hasCredentials: null,
  isPublishable: null,
};

export interface FileFields {
  readonly status?: MediaStatus;
  readonly fileName?: string;
  readonly contentType?: string;
  readonly bytes?: number;
  readonly facts?: InspectedFacts;
  readonly altText?: string | null;
  readonly tags?: readonly string[];
  readonly createdBy?: string;
  /** The video that the picture represents. */
  readonly posterOf?: string;
  /** SQL interval from now. */
  readonly uploadExpiresIn?: string;
}

/** A brand of an organization, as a row only. @returns its id */
export async function aBrandRow(
  database: Database,
  organizationId: string = randomUUID(),
): Promise<{ id: string; organizationId: string }> {
  const id = randomUUIDv7();
  await database.query(`INSERT INTO brands.brand_view VALUES ($1, $2, 'Acme', 'UTC', 1, now(), now())`, [
    id,
    organizationId,
  ]);
  return { id, organizationId };
}

/** A row of a file, without an object. `ready` unless another status is given. */
export async function aMediaFile(
  database: Database,
  brandId: string,
  { status = 'ready', facts = IMAGE_FACTS, ...fields }: FileFields = {},
): Promise<{ id: string; key: string; etag: string }> {
  const id = randomUUIDv7();
  const [key, etag] = [`media/${id}/original`, `"${randomBytes(16).toString('hex')}"`];
  const isInspected = status === 'ready';
  await database.query(
    `INSERT INTO media.file (id, brand_id, status, kind, file_name, content_type, bytes, sha256, object_key, etag,
       upload_expires_at, facts, width, height, duration_ms, alt_text, tags, created_by_type, created_by, poster_of, inspect_due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11::interval, $12, $13, $14, $15, $16, $17, 'user', $18, $19,
       CASE WHEN $3 = 'inspecting' THEN now() END)`,
    [
      ...[
        id,
        brandId,
        status,
        facts.kind,
        fields.fileName ?? 'photo.jpg',
        fields.contentType ?? 'image/jpeg',
      ],
      ...[fields.bytes ?? 1_000, createHash('sha256').update(id).digest('hex'), key],
      ...[status === 'uploading' ? null : etag, fields.uploadExpiresIn ?? '-1 hour'],
      ...(isInspected
        ? [JSON.stringify(facts), facts.width, facts.height, facts.durationMs]
        : [null, null, null, null]),
      ...[
        fields.altText ?? null,
        fields.tags ?? [],
        fields.createdBy ?? randomUUID(),
        fields.posterOf ?? null,
      ],
    ],
  );
  return { id, key, etag };
}

/** The store lost the object of the file, and a worker noticed. */
export const loseObject = (database: Database, mediaId: string): Promise<unknown[]> =>
  database.query(`UPDATE media.file SET status = 'rejected', rejection = $2 WHERE id = $1`, [
    mediaId,
    JSON.stringify(OBJECT_IS_GONE),
  ]);

/** Bytes that an organization is charged for. */
export async function storedBytes(database: Database, organizationId: string): Promise<number> {
  const [row] = await database.query<{ bytes: string }>(
    'SELECT bytes FROM uploads.storage_use WHERE organization_id = $1',
    [organizationId],
  );
  return Number(row?.bytes ?? 0);
}
