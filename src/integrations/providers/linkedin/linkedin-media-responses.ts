import type { CommitResponse, Refusal } from '../../domain/provider-publishing.js';
import { FAILURES, PREPARE_AGAIN } from '../failures.js';
import {
  classifyRefusal,
  type LinkedInError,
  RATE_LIMITED,
  refusalOf,
  refusesVersion,
} from './linkedin-errors.js';
import type { MediaStep, Upload } from './linkedin-media-plan.js';
import type { DeliveryFile } from '#libs/content';
import { addressIn, memberOf } from '../values.js';
import { mediaUrnIn } from './linkedin-values.js';

/** An address whose time has passed is refused by one of these, also by 401: whether the token works shows the next `initializeUpload`. */
const MAY_BE_EXPIRED = new Set([400, 401, 403, 404, 410]);

/**
 * What the refusal of a step of an upload means. Daily limits are per route, so other posts do not wait. A refused part or finalization
 * may be due to addresses that expired or responses that were lost: the upload begins again, once.
 * @param waitMs until a limit ends
 */
export function classifyMediaRefusal(error: LinkedInError, step: MediaStep['call'], waitMs: number): Refusal {
  const { status } = error;
  if (status === 429) return refusalOf(error, RATE_LIMITED, { kind: 'postpone', milliseconds: waitMs });
  if (step === 'upload')
    return MAY_BE_EXPIRED.has(status)
      ? refusalOf(error, FAILURES.mediaExpired, PREPARE_AGAIN)
      : refusalOf(error, FAILURES.mediaRefused);
  if (status === 401 || status === 403 || refusesVersion(error)) return classifyRefusal(error, waitMs, '');
  if (status === 404) return refusalOf(error, FAILURES.mediaExpired, PREPARE_AGAIN);
  return refusalOf(error, FAILURES.mediaRefused, step === 'initialize' ? undefined : PREPARE_AGAIN);
}

const LONGEST_FILE_WAIT_MS = 60_000;

/** The wait grows with the age of the upload: an image takes seconds, a video minutes, and each wait is an attempt in the history. */
export function fileWait(response: CommitResponse, ageMs: number): CommitResponse {
  if (response.kind !== 'refused' || response.refusal.remedy?.kind !== 'postpone') return response;
  const { remedy } = response.refusal;
  const milliseconds = Math.min(Math.max(remedy.milliseconds, ageMs / 2), LONGEST_FILE_WAIT_MS);
  return { ...response, refusal: { ...response.refusal, remedy: { ...remedy, milliseconds } } };
}

/** When LinkedIn names no end: an hour. */
const LIFE_MS = 3_600_000;
const LONGEST_LIFE_MS = 366 * 24 * LIFE_MS;
const MAX_PARTS = 1_000;
const MAX_TOKEN = 2_000;
/** Part names are ETags: opaque, printable. */
const PART_ID = /^[\x21-\x7e]{1,2000}$/;

/** `other`: a word that is not known here. */
type MediaState = 'waiting' | 'processing' | 'available' | 'failed' | 'other';

/** null: not readable. @param isTrusted whether bytes of a post may be sent to this address */
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
