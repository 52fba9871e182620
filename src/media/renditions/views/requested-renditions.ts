import { createHash } from 'node:crypto';
import type { RenditionSpec } from '#libs/content';

/** Whether the result depends on the focus point of the file. */
const isCropped = (spec: RenditionSpec): boolean => spec.kind === 'image' && spec.ratio !== null;

/**
 * The same text for equal specifications, whatever the order of their keys. The order of formats counts: it is the order of preference.
 */
export function canonicalSpec(spec: RenditionSpec): string {
  return JSON.stringify(spec, (_, value: unknown) => (isRecord(value) ? sorted(value) : value));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

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
