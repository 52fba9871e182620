import type { RenditionSpec } from '#libs/content';

export const RENDITION_STATUSES = ['pending', 'ready', 'failed'] as const;
export type RenditionStatus = (typeof RENDITION_STATUSES)[number];

export interface RenditionFailure {
  /** Stable machine name, snake_case. */
  readonly code: string;
  /** For people: what is wrong, then what to do. */
  readonly message: string;
}

/** A row of media.rendition, as pg reads it, without the columns of the worker. */
export interface RenditionRow {
  readonly id: string;
  readonly media_id: string;
  readonly spec: RenditionSpec;
  readonly status: RenditionStatus;
  readonly object_key: string | null;
  readonly etag: string | null;
  readonly content_type: string | null;
  /** bigint. */
  readonly bytes: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number | null;
  /** Of a pending one: how its last try ended. */
  readonly failure: RenditionFailure | null;
  readonly created_at: Date;
}

export const RENDITION_COLUMNS =
  'id, media_id, spec, status, object_key, etag, content_type, bytes, width, height, duration_ms, failure, created_at';
