import { createHash } from 'node:crypto';
import type { RenditionSpec } from '#libs/content';
import { canonicalSpec, isCropped } from '../domain/spec-digest.js';

/** A file and what a rendition of it must fit. */
export interface RequestedRendition {
  readonly mediaId: string;
  readonly spec: RenditionSpec;
}

/** The key of a specification without the focus point, which is the file's: SPEC_KEY adds it. */
const digest = (spec: RenditionSpec): string =>
  createHash('sha256').update(canonicalSpec(spec)).digest('hex').slice(0, 32);

/** In SQL, for rows `wanted` of REQUESTED and `file` of media.file. */
export const SPEC_KEY = `wanted.digest || CASE WHEN wanted.is_cropped THEN '/' || file.focus_x || '/' || file.focus_y ELSE '' END`;

/** Rows `wanted` of parameters 1 to 3: media_id, digest, is_cropped, and their number from 1. */
export const REQUESTED = `unnest($1::uuid[], $2::text[], $3::boolean[]) WITH ORDINALITY
  AS wanted (media_id, digest, is_cropped, number)`;

export const requestedParameters = (files: readonly RequestedRendition[]): unknown[] => [
  files.map(({ mediaId }) => mediaId),
  files.map(({ spec }) => digest(spec)),
  files.map(({ spec }) => isCropped(spec)),
];
