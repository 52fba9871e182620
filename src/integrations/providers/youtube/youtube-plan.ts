import { stepsOf } from '../upload-steps.js';
import type { PrepareResponse, Prepared } from '../../domain/provider-publishing.js';
import { LAST_PART_BYTES, PART_BYTES, PART_UNIT } from './youtube-limits.js';

/** `start`: first byte that is sent; `total`: bytes of the whole file at the start. `resumed-part`: after YouTube told what it has. */
const STEPS = stepsOf({
  begin: [],
  part: ['start', 'total'],
  'resumed-part': ['start', 'total'],
  probe: ['total'],
});
export type UploadStep = Parameters<typeof STEPS.stepName>[0];
export const { stepName, next } = STEPS;

export const FIRST_STEP = 'begin';
/** A step that this release does not know begins the upload again. */
export const stepOf = (name: string): UploadStep => STEPS.stepIn(name, { call: FIRST_STEP });

/** The end of the part that begins at `start`; null: only the last part is left. */
export function partEnd(start: number, total: number): number | null {
  const before = Math.floor((total - start - 1) / PART_UNIT) * PART_UNIT;
  return before > 0 ? start + Math.min(before, PART_BYTES) : null;
}

/** What follows when YouTube has the bytes before `sent`. */
export function afterBytes(
  sent: number,
  total: number,
  call: 'part' | 'resumed-part' = 'part',
): PrepareResponse {
  if (partEnd(sent, total) !== null) return next({ call, start: sent, total });
  return { kind: 'ready', notes: { sent: String(sent), total: String(total) } };
}

/** The upload; null: none was begun. */
export const uploadOf = ({ ids }: Prepared): string | null => ids.upload ?? null;

/** The bytes that the last part begins after, and the length of the file; null: not prepared. */
export function lastPart({ notes }: Prepared): { start: number; total: number } | null {
  const [start, total] = [Number(notes.sent), Number(notes.total)];
  if (!(start >= 0 && total > 0) || total - start > LAST_PART_BYTES) return null;
  return { start, total };
}
