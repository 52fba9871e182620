import { stepsOf } from '../upload-steps.js';
import type { DeliveryFile } from '#libs/content';
import type { PrepareResponse, Prepared } from '../../domain/provider-publishing.js';
import { SEGMENT_BYTES, MAX_ALT_TEXT } from './x-limits.js';
import { altTextOf as cutAltText } from '../file-labels.js';

/**
 * The upload of a file. `file` is its index in the post; `bytes`: of the whole file when its upload began. `confirm` asks for the status
 * after the response to a finalization was lost; `finalize-again` repeats a finalization that may have succeeded.
 */
const STEPS = stepsOf({
  initialize: ['file'],
  append: ['file', 'segment', 'bytes'],
  finalize: ['file'],
  confirm: ['file'],
  'finalize-again': ['file'],
  status: ['file'],
  describe: ['file'],
});
export type MediaStep = Parameters<typeof STEPS.stepName>[0];
export const { stepName, next, wait } = STEPS;

export const FIRST_STEP = 'initialize/0';
/** A step that this release does not know begins the upload again. */
export const stepOf = (name: string): MediaStep => STEPS.stepIn(name, { call: 'initialize', file: 0 });

/** An id is not used in the last tenth of the lifetime that X names. */
const USABLE_SHARE = 0.9;

export const uploadOf = ({ ids }: Prepared, file: number): string | null => ids[`media-${file}`] ?? null;

/** What is stored of a new upload. It is not complete, whatever was stored of an earlier one. */
export function begun(
  prepared: Prepared,
  file: number,
  { id, key, lifeMs }: { id: string; key: string; lifeMs: number },
): Pick<Prepared, 'ids' | 'notes'> {
  const until = String(prepared.ageMs + lifeMs * USABLE_SHARE);
  return { ids: { [`media-${file}`]: id }, notes: { [`key-${file}`]: key, [`until-${file}`]: until } };
}

/** What is stored when X has all bytes of a file and has processed them. */
export const completed = (prepared: Prepared, file: number): Prepared['notes'] => ({
  [`complete-${file}`]: uploadOf(prepared, file) ?? '',
});

/** The media ids in the order of the files; null: one is not complete, or may have expired. */
export function mediaIdsOf(prepared: Prepared, count: number): string[] | null {
  const ids = Array.from({ length: count }, (_, file) =>
    isComplete(prepared, file) && !hasExpired(prepared, file) ? uploadOf(prepared, file) : null,
  );
  return ids.every((id) => id !== null) ? ids : null;
}

/** The media keys by which X shows the files; null: not known. */
export function mediaKeysOf(prepared: Prepared | null, count: number): string[] | null {
  const keys = Array.from({ length: count }, (_, file) => prepared?.notes[`key-${file}`]);
  return keys.every((key) => key !== undefined) ? keys : null;
}

/** The step after the files that are complete: the next upload, then descriptions, which are taken as they are last. */
export function afterUploads(prepared: Prepared, files: readonly DeliveryFile[]): PrepareResponse {
  const open = files.findIndex((_, file) => !isComplete(prepared, file) || hasExpired(prepared, file));
  return open >= 0 ? next({ call: 'initialize', file: open }) : describeFrom(files, 0);
}

export function describeFrom(files: readonly DeliveryFile[], from: number): PrepareResponse {
  const index = files.findIndex((file, each) => each >= from && altTextOf(file) !== null);
  return index < 0 ? { kind: 'ready' } : next({ call: 'describe', file: index });
}

/** A file whose id ends before the post is created; null: none. */
export function expiredFile(prepared: Prepared, files: readonly DeliveryFile[]): number | null {
  const index = files.findIndex((_, file) => hasExpired(prepared, file));
  return index < 0 ? null : index;
}

/** @returns null after the last segment */
export function segmentOf(
  { bytes }: Pick<DeliveryFile, 'bytes'>,
  segment: number,
): { start: number; end: number } | null {
  const start = segment * SEGMENT_BYTES;
  return start < bytes ? { start, end: Math.min(start + SEGMENT_BYTES, bytes) } : null;
}

const isComplete = (prepared: Prepared, file: number): boolean => {
  const id = uploadOf(prepared, file);
  return id !== null && prepared.notes[`complete-${file}`] === id;
};

/** `ageMs` stays the same during an attempt, so that an upload of this attempt never counts as expired. */
const hasExpired = ({ notes, ageMs }: Prepared, file: number): boolean => {
  const until = notes[`until-${file}`];
  return until !== undefined && ageMs > Number(until);
};

/** The description that is sent: X takes descriptions of images only (docs.x.com, "Media metadata"). */
export const altTextOf = (file: Pick<DeliveryFile, 'kind' | 'altText'>): string | null =>
  file.kind === 'image' ? cutAltText(file, MAX_ALT_TEXT) : null;
