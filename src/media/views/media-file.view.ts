import { type AiMark, type MediaFacts, type MediaKind, unknownMedia } from '#libs/content';
import type { InspectedFacts, Rejection } from '../inspection/domain/inspection.types.js';

export const MEDIA_STATUSES = ['uploading', 'inspecting', 'ready', 'rejected'] as const;
export type MediaStatus = (typeof MEDIA_STATUSES)[number];

/** A row of media.file, as pg reads it, without the search column. */
export interface MediaFileRow {
  readonly id: string;
  readonly brand_id: string;
  readonly status: MediaStatus;
  readonly kind: MediaKind;
  readonly file_name: string;
  readonly content_type: string;
  /** bigint. */
  readonly bytes: string;
  /** Hexadecimal; null for an upload in parts, of which the store verified each part. */
  readonly sha256: string | null;
  readonly object_key: string;
  /** Of the completed object, as in the header; null before. */
  readonly etag: string | null;
  /** Of a multipart upload; null for a single PUT. */
  readonly upload_id: string | null;
  readonly part_bytes: number | null;
  readonly upload_expires_at: Date;
  /** null before inspection. */
  readonly facts: InspectedFacts | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number | null;
  /** null: not known. */
  readonly ai_mark: AiMark | null;
  readonly alt_text: string | null;
  readonly tags: readonly string[];
  readonly focus_x: number;
  readonly focus_y: number;
  readonly thumbnail_key: string | null;
  readonly preview_key: string | null;
  readonly poster_of: string | null;
  readonly rejection: Rejection | null;
  readonly created_by_type: 'user' | 'service' | 'api_key';
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly version: number;
}

export const MEDIA_FILE_COLUMNS =
  'id, brand_id, status, kind, file_name, content_type, bytes, sha256, object_key, etag, upload_id, part_bytes, upload_expires_at, facts, width, height, duration_ms, ai_mark, alt_text, tags, focus_x, focus_y, thumbnail_key, preview_key, poster_of, rejection, created_by_type, created_by, created_at, updated_at, version';

/** A file as other features see it. */
export interface MediaSummary extends MediaFacts {
  readonly status: MediaStatus;
  readonly rejection: Rejection | null;
  /** Its facts are known: it is ready, or was until the store lost its object. What was made of it before can still be sent. */
  readonly isInspected: boolean;
}

export const mediaSummaryOf = (row: MediaFileRow): MediaSummary => ({
  ...unknownMedia(row.id),
  ...factsIn(row),
  kind: row.kind,
  contentType: row.content_type,
  bytes: Number(row.bytes),
  aiMark: row.ai_mark,
  altText: row.alt_text,
  status: row.status,
  rejection: row.rejection,
  isInspected: row.facts !== null,
});

function factsIn({ facts }: MediaFileRow): Partial<MediaFacts> {
  if (facts === null) return {};
  const { hasAlpha: _alpha, colourSpace: _space, orientation: _orientation, ...shown } = facts;
  return shown;
}
