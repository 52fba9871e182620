import { stepsOf } from '../upload-steps.js';
import type { DeliveryFile } from '#libs/content';
import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import type { PrepareResponse, Prepared } from '../../domain/provider-publishing.js';
import { PHOTO_LIFE_MS } from './facebook-limits.js';

/**
 * Photos are uploaded unpublished, in their order. A video is uploaded from `start` to `end`, as Facebook asks; `bytes` is the length of
 * the file when its upload began. `send-reel` asks how much Facebook has, and sends the rest.
 */
const STEPS = stepsOf({
  begin: [],
  photo: ['file'],
  'start-video': [],
  transfer: ['start', 'end', 'bytes'],
  'start-reel': [],
  'send-reel': [],
});
export type Step = Parameters<typeof STEPS.stepName>[0];
export const { next } = STEPS;

export const FIRST_STEP = 'begin';
/** A step that this release does not know begins again. */
export const stepOf = (name: string): Step => STEPS.stepIn(name, { call: FIRST_STEP });

/** Where the upload of these files begins. */
export function firstUpload(content: DeliveryContent, files: readonly DeliveryFile[]): PrepareResponse {
  if (files[0]?.kind !== 'video') return next({ call: 'photo', file: 0 });
  return next({ call: content.options.format === 'reel' ? 'start-reel' : 'start-video' });
}

export function afterPhoto(file: number, files: readonly DeliveryFile[]): PrepareResponse {
  return file + 1 < files.length ? next({ call: 'photo', file: file + 1 }) : { kind: 'ready' };
}

export const storedPhoto = (
  { ageMs }: Prepared,
  file: number,
  id: string,
): Pick<Prepared, 'ids' | 'notes'> => ({
  ids: { [`photo-${file}`]: id },
  notes: { [`photo-${file}-until`]: String(ageMs + PHOTO_LIFE_MS) },
});

/** Ids of the photos in the order of the files; null: one is missing or may have expired. */
export function photosOf({ ids, notes, ageMs }: Prepared, count: number): string[] | null {
  const photos = Array.from({ length: count }, (_, file) => {
    const until = Number(notes[`photo-${file}-until`]);
    return ageMs <= until ? ids[`photo-${file}`] : undefined;
  });
  return photos.every((id) => id !== undefined) ? photos : null;
}

export interface StoredVideo {
  readonly id: string;
  readonly isReel: boolean;
  /** null: a reel has none. */
  readonly session: string | null;
}

export const startedVideo = (id: string, session: string | null): Pick<Prepared, 'ids' | 'notes'> => ({
  ids: { video: id },
  notes: { session: session ?? '' },
});

export function videoOf({ ids, notes }: Prepared): StoredVideo | null {
  if (ids.video === undefined) return null;
  const session = notes.session ?? '';
  return { id: ids.video, isReel: session === '', session: session === '' ? null : session };
}
