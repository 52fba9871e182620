import { stepsOf } from '../upload-steps.js';
import type { DeliveryFile } from '#libs/content';
import type { AccountFacts } from '../../domain/provider-grants.js';
import type { Prepared } from '../../domain/provider-publishing.js';

/*
 * Sizes of parts: content-posting-api-media-transfer-guide, "Chunk restrictions" (developers.tiktok.com/doc, updated 2026-08-04): every
 * part has 5 to 64 MB, the last one up to 128 MB; their number is the size divided by the part size, rounded down; at most 1 000.
 */

/** 5 MiB is enough in either meaning of MB, and keeps the last part, which publishes the post, below 10 MiB. */
export const PART_BYTES = 5 * 1_048_576;
export const MAX_PARTS = 1_000;

/** The upload address lives an hour (media-transfer-guide). It is not used in the last tenth of it. */
const USABLE_MS = 3_600_000 * 0.9;

/** `creator` asks for the state of the account, `resume` how many bytes TikTok has. `bytes`: of the whole file at the start. */
const STEPS = stepsOf({ creator: [], init: [], resume: [], part: ['part', 'bytes'] });
export type UploadStep = Parameters<typeof STEPS.stepName>[0];
export const { next } = STEPS;

export const FIRST_STEP = 'creator';
/** A step that this release does not know begins again. */
export const stepOf = (name: string): UploadStep => STEPS.stepIn(name, { call: FIRST_STEP });

/** How a file of so many bytes is sent. */
export function partsOf(bytes: number): { readonly size: number; readonly count: number } {
  const count = Math.max(1, Math.floor(bytes / PART_BYTES));
  return count === 1 ? { size: bytes, count } : { size: PART_BYTES, count };
}

/** Bytes `start` up to, not including, `end`; null: there is no such part. */
export function boundsOf(
  { bytes }: Pick<DeliveryFile, 'bytes'>,
  part: number,
): { start: number; end: number; isLast: boolean } | null {
  const { size, count } = partsOf(bytes);
  if (part < 0 || part >= count) return null;
  const isLast = part === count - 1;
  return { start: part * size, end: isLast ? bytes : (part + 1) * size, isLast };
}

/** The part that begins after so many bytes; null: TikTok has another number of bytes than whole parts have. */
export function partAfter(bytes: number, sent: number): number | null {
  const { size, count } = partsOf(bytes);
  const part = sent / size;
  return Number.isInteger(part) && part < count ? part : null;
}

export const begun = (
  { ageMs }: Prepared,
  { bytes }: Pick<DeliveryFile, 'bytes'>,
  publishId: string,
  address: string,
): Pick<Prepared, 'ids' | 'addresses' | 'notes'> => ({
  ids: { publish: publishId },
  addresses: { upload: address },
  notes: { until: String(ageMs + USABLE_MS), bytes: String(bytes) },
});

/** What creator_info has said of the account before this post. */
export const withFacts = (facts: AccountFacts): Prepared['notes'] => ({ facts: JSON.stringify(facts) });

/** null: creator_info was not asked. */
export const factsIn = ({ notes }: Prepared): AccountFacts | null =>
  notes.facts === undefined ? null : (JSON.parse(notes.facts) as AccountFacts);

export interface OpenUpload {
  readonly publishId: string;
  readonly address: string;
}

/** The upload that can be continued; null: none was begun, it may have expired, or its last part was accepted once. */
export function openUpload({ ids, addresses, notes, ageMs }: Prepared): OpenUpload | null {
  const { publish, committed } = ids;
  const { upload } = addresses;
  if (publish === undefined || upload === undefined || committed === publish) return null;
  return ageMs > Number(notes.until) ? null : { publishId: publish, address: upload };
}
