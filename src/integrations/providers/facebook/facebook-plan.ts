import type { DeliveryFile } from '#libs/content';
import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import type { PrepareResponse, Prepared } from '../../domain/provider-publishing.js';
import { PHOTO_LIFE_MS } from './facebook-limits.js';

/**
 * One call before the irreversible one. Photos are uploaded unpublished, in their order. A video is uploaded from `start` to `end`, as
 * Facebook asks; `bytes` is the length of the file when its upload began. `send-reel` asks how much Facebook has, and sends the rest.
 */
export type Step =
  | { readonly call: 'begin' | 'start-video' | 'start-reel' | 'send-reel' }
  | { readonly call: 'photo'; readonly file: number }
  | { readonly call: 'transfer'; readonly start: number; readonly end: number; readonly bytes: number };

export const FIRST_STEP = 'begin';

const PLAIN = ['start-video', 'start-reel', 'send-reel'] as const;
const PHOTO = /^photo\/(\d{1,3})$/;
const TRANSFER = /^transfer\/(\d{1,15})\/(\d{1,15})\/(\d{1,15})$/;

export function stepName(step: Step): string {
  if (step.call === 'photo') return `photo/${step.file}`;
  return step.call === 'transfer' ? `transfer/${step.start}/${step.end}/${step.bytes}` : step.call;
}

/** A step that this release does not know begins again. */
export function stepOf(name: string): Step {
  const photo = PHOTO.exec(name)?.[1];
  if (photo !== undefined) return { call: 'photo', file: Number(photo) };
  const [, start, end, bytes] = TRANSFER.exec(name) ?? [];
  if (bytes !== undefined)
    return { call: 'transfer', start: Number(start), end: Number(end), bytes: Number(bytes) };
  return { call: PLAIN.find((call) => call === name) ?? 'begin' };
}

export const next = (step: Step): PrepareResponse => ({ kind: 'next', step: stepName(step) });

/** Where the upload of these files begins. */
export function firstUpload(content: DeliveryContent, files: readonly DeliveryFile[]): PrepareResponse {
  if (files[0]?.kind !== 'video') return next({ call: 'photo', file: 0 });
  return next({ call: content.options.format === 'reel' ? 'start-reel' : 'start-video' });
}

export function afterPhoto(file: number, files: readonly DeliveryFile[]): PrepareResponse {
  return file + 1 < files.length ? next({ call: 'photo', file: file + 1 }) : { kind: 'ready' };
}

/** What is stored of an uploaded photo. */
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

/** An upload of a video that is ready to be published. */
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
