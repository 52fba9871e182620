import type { DeliveryFile } from '#libs/content';
import { addressIn, memberOf } from '../values.js';
import type { Upload } from './linkedin-media-plan.js';
import { mediaUrnIn } from './linkedin-values.js';

/** When LinkedIn names no end: an hour. */
const LIFE_MS = 3_600_000;
const LONGEST_LIFE_MS = 366 * 24 * LIFE_MS;
const MAX_PARTS = 1_000;
const MAX_TOKEN = 2_000;
/** Part names are ETags: opaque, printable. */
const PART_ID = /^[\x21-\x7e]{1,2000}$/;

/** `other`: a word that is not known here. */
export type MediaState = 'waiting' | 'processing' | 'available' | 'failed' | 'other';

/**
 * The new upload in a response to `initializeUpload`; null: not readable.
 * @param isTrusted whether bytes of a post may be sent to this address
 */
export function uploadIn(
  body: unknown,
  { kind, bytes }: Pick<DeliveryFile, 'kind' | 'bytes'>,
  now: Date,
  isTrusted: (url: string) => boolean,
): Upload | null {
  const value = memberOf(body, 'value');
  const urn = mediaUrnIn(memberOf(value, kind === 'video' ? 'video' : 'image'));
  const parts = kind === 'video' ? videoParts(value, bytes) : imageParts(value, bytes);
  const token = memberOf(value, 'uploadToken') ?? '';
  if (urn === null || parts === null || typeof token !== 'string' || token.length > MAX_TOKEN) return null;
  if (!parts.every(({ url }) => isTrusted(url))) return null;
  const end = memberOf(value, kind === 'video' ? 'uploadUrlsExpireAt' : 'uploadUrlExpiresAt');
  return { urn, parts, token, lifeMs: lifeIn(end, now) };
}

function imageParts(value: unknown, bytes: number): Upload['parts'] | null {
  const url = addressIn(memberOf(value, 'uploadUrl'));
  return url === null ? null : [{ url, end: bytes }];
}

/** The parts cover the file, in their order and without gaps. `lastByte` is part of its part. */
function videoParts(value: unknown, bytes: number): Upload['parts'] | null {
  const listed = memberOf(value, 'uploadInstructions');
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > MAX_PARTS) return null;
  const parts: { url: string; end: number }[] = [];
  for (const part of listed as unknown[]) {
    const url = addressIn(memberOf(part, 'uploadUrl'));
    const [first, last] = [memberOf(part, 'firstByte'), memberOf(part, 'lastByte')];
    const start = parts.at(-1)?.end ?? 0;
    if (url === null || first !== start || !Number.isSafeInteger(last) || (last as number) < start)
      return null;
    parts.push({ url, end: (last as number) + 1 });
  }
  return parts.at(-1)?.end === bytes ? parts : null;
}

/** Epoch milliseconds as time to live. */
function lifeIn(end: unknown, now: Date): number {
  const life = typeof end === 'number' ? end - now.getTime() : NaN;
  return life > 0 && life <= LONGEST_LIFE_MS ? life : LIFE_MS;
}

/** The name of an uploaded part; null: LinkedIn gave none. */
export function partIdIn(etag: string | undefined): string | null {
  const id = etag?.replace(/^"(.*)"$/, '$1') ?? '';
  return PART_ID.test(id) ? id : null;
}

const STATES: ReadonlyMap<string, MediaState> = new Map([
  ['WAITING_UPLOAD', 'waiting'],
  ['PROCESSING', 'processing'],
  ['AVAILABLE', 'available'],
  ['PROCESSING_FAILED', 'failed'],
]);

/** null: not readable. */
export function stateIn(body: unknown): MediaState | null {
  const status = memberOf(body, 'status');
  return typeof status === 'string' ? (STATES.get(status) ?? 'other') : null;
}
