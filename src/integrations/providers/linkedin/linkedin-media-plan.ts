import { stepsOf } from '../upload-steps.js';
import type { DeliveryFile } from '#libs/content';
import type { PrepareResponse, Prepared } from '../../domain/provider-publishing.js';

/** `file` is an index in the post; `bytes`: of the whole file at the start. `confirm` follows a finalization whose response was lost. */
const STEPS = stepsOf({
  initialize: ['file'],
  upload: ['file', 'part', 'bytes'],
  finalize: ['file'],
  confirm: ['file'],
  status: ['file'],
});
export type MediaStep = Parameters<typeof STEPS.stepName>[0];
export const { stepName, next, wait } = STEPS;

export const FIRST_STEP = 'initialize/0';
/** A step that this release does not know begins the upload again. */
export const stepOf = (name: string): MediaStep => STEPS.stepIn(name, { call: 'initialize', file: 0 });

export interface Upload {
  readonly urn: string;
  /** Address and first byte after the part, in the order of the parts. */
  readonly parts: readonly { readonly url: string; readonly end: number }[];
  /** Videos have one, which is sent back with the finalization. */
  readonly token: string;
  /** Milliseconds for which the addresses can be used. */
  readonly lifeMs: number;
}

/** An address is not used in the last tenth of the lifetime that LinkedIn names. */
const USABLE_SHARE = 0.9;

export const urnOf = ({ ids }: Prepared, file: number): string => ids[`media-${file}`] ?? '';

export const tokenOf = ({ notes }: Prepared, file: number): string => notes[`token-${file}`] ?? '';

/** What is stored of a new upload. It is not complete, whatever was stored of an earlier one. */
export function begun(
  prepared: Prepared,
  file: number,
  { urn, parts, token, lifeMs }: Upload,
): Pick<Prepared, 'ids' | 'addresses' | 'notes'> {
  const addresses = Object.fromEntries(parts.map(({ url }, part) => [`upload-${file}-${part}`, url]));
  return {
    ids: { [`media-${file}`]: urn },
    addresses,
    notes: {
      [`ends-${file}`]: parts.map(({ end }) => end).join(),
      [`token-${file}`]: token,
      [`until-${file}`]: String(prepared.ageMs + lifeMs * USABLE_SHARE),
    },
  };
}

/** The bytes of a part and its address; null: unknown, or the addresses may have expired. */
export function partOf(
  { notes, addresses, ageMs }: Prepared,
  file: number,
  part: number,
): { url: string; start: number; end: number; isLast: boolean } | null {
  const ends = (notes[`ends-${file}`] ?? '').split(',').map(Number);
  const [url, end] = [addresses[`upload-${file}-${part}`], ends[part]];
  const isExpired = ageMs > Number(notes[`until-${file}`] ?? 0);
  if (!url || !end || isExpired) return null;
  return { url, start: part === 0 ? 0 : (ends[part - 1] ?? 0), end, isLast: part === ends.length - 1 };
}

/** What is stored of a part of a video that LinkedIn has; of images there is nothing to store. */
export const uploadedPart = (file: number, part: number, etag: string | null): Prepared['notes'] =>
  etag === null ? {} : { [`etag-${file}-${part}`]: etag };

/** Names of all parts of a video; null: one is missing. */
export function partIdsOf({ notes }: Prepared, file: number): string[] | null {
  const count = (notes[`ends-${file}`] ?? '').split(',').length;
  const ids = Array.from({ length: count }, (_, part) => notes[`etag-${file}-${part}`]);
  return ids.every((id) => id !== undefined) ? ids : null;
}

/** What is stored when LinkedIn has all bytes of a file. */
export const completed = (prepared: Prepared, file: number): Prepared['notes'] => ({
  [`complete-${file}`]: urnOf(prepared, file),
});

/** The URNs in the order of the files; null: one is not complete. */
export function mediaUrnsOf(prepared: Prepared, count: number): string[] | null {
  const complete = Array.from({ length: count }, (_, file) => isComplete(prepared, file));
  return complete.every(Boolean) ? complete.map((_, file) => urnOf(prepared, file)) : null;
}

/** The next upload; after the last one the states, so that LinkedIn processes the first files while the others are sent. */
export function afterUpload(prepared: Prepared, files: readonly DeliveryFile[]): PrepareResponse {
  const open = files.findIndex((_, file) => !isComplete(prepared, file));
  return next(open >= 0 ? { call: 'initialize', file: open } : { call: 'status', file: 0 });
}

export const afterStatus = (file: number, files: readonly DeliveryFile[]): PrepareResponse =>
  file + 1 < files.length ? next({ call: 'status', file: file + 1 }) : { kind: 'ready' };

const isComplete = (prepared: Prepared, file: number): boolean => {
  const urn = urnOf(prepared, file);
  return urn !== '' && prepared.notes[`complete-${file}`] === urn;
};
