import type { PrepareResponse, Prepared } from '../../domain/provider-publishing.js';
import { LAST_PART_BYTES, PART_BYTES, PART_UNIT } from './youtube-limits.js';

/**
 * One call of an upload. `start`: index of the first byte that is sent; `total`: bytes of the whole file when its upload began.
 * `resumed-part`: as `part`, after YouTube told what it has.
 */
export type UploadStep =
  | { readonly call: 'begin' }
  | { readonly call: 'part' | 'resumed-part'; readonly start: number; readonly total: number }
  | { readonly call: 'probe'; readonly total: number };

export const FIRST_STEP = 'begin';

const PART = /^(part|resumed-part)\/(\d{1,15})\/(\d{1,15})$/;
const PROBE = /^probe\/(\d{1,15})$/;

export function stepName(step: UploadStep): string {
  if (step.call === 'begin') return FIRST_STEP;
  if (step.call === 'probe') return `probe/${step.total}`;
  return `${step.call}/${step.start}/${step.total}`;
}

/** A step that this release does not know begins the upload again. */
export function stepOf(name: string): UploadStep {
  const [, call, start, total] = PART.exec(name) ?? [];
  if (total !== undefined)
    return { call: call as 'part' | 'resumed-part', start: Number(start), total: Number(total) };
  const [, probed] = PROBE.exec(name) ?? [];
  return probed === undefined ? { call: 'begin' } : { call: 'probe', total: Number(probed) };
}

/** The end of the part that begins at `start`; null: only the last part is left. */
export function partEnd(start: number, total: number): number | null {
  const before = Math.floor((total - start - 1) / PART_UNIT) * PART_UNIT;
  return before > 0 ? start + Math.min(before, PART_BYTES) : null;
}

/** What follows when YouTube has the bytes before `next`. */
export function afterBytes(
  next: number,
  total: number,
  call: 'part' | 'resumed-part' = 'part',
): PrepareResponse {
  if (partEnd(next, total) !== null) return { kind: 'next', step: stepName({ call, start: next, total }) };
  return { kind: 'ready', notes: { sent: String(next), total: String(total) } };
}

/** The upload; null: none was begun. */
export const uploadOf = ({ ids }: Prepared): string | null => ids.upload ?? null;

/** The bytes that the last part begins after, and the length of the file; null: not prepared. */
export function lastPart({ notes }: Prepared): { start: number; total: number } | null {
  const [start, total] = [Number(notes.sent), Number(notes.total)];
  if (!(start >= 0 && total > 0) || total - start > LAST_PART_BYTES) return null;
  return { start, total };
}
