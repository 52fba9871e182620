import type { Refusal, PrepareCall, PrepareResponse } from '../../domain/provider-publishing.js';
import { FAILURES, permanent, PREPARE_AGAIN, refusal } from '../failures.js';
import { classifyRefusal, isXError, refusalOf, type XError } from './x-errors.js';
import { afterUploads, completed, type MediaStep, wait } from './x-media-plan.js';
import type { OutboundResponse } from '#libs/outbound-http';
import { memberOf, recordIn, wordsIn } from '../values.js';
import { idIn } from './x-values.js';

/**
 * What the refusal of a step of an upload means. X limits its media endpoints separately (1875 calls in 15 minutes), so posts without
 * files of the same account do not wait. A refused segment or finalization may be due to the steps before it, whose answers
 * may have been lost: the upload begins again, once.
 * @param waitMs until the limit ends, by the answer's headers.
 */
export function classifyMediaRefusal(error: XError, step: MediaStep['call'], waitMs: number | null): Refusal {
  const { status } = error;
  if (status === 429) return ofThisPost(classifyRefusal(error, waitMs));
  if (status === 401 || status === 402 || status === 403) return classifyRefusal(error, waitMs);
  if (status === 404) return refusalOf(error, FAILURES.mediaExpired, PREPARE_AGAIN);
  if (step === 'describe') return refusalOf(error, DESCRIPTION_REFUSED);
  const mayHelp = status === 400 && step !== 'initialize';
  return refusalOf(error, FAILURES.mediaRefused, mayHelp ? PREPARE_AGAIN : undefined);
}

const ofThisPost = (refusal: Refusal): Refusal =>
  refusal.remedy?.kind === 'hold' ? { ...refusal, remedy: { ...refusal.remedy, kind: 'postpone' } } : refusal;

const DESCRIPTION_REFUSED = permanent(
  'alt_text_refused',
  'X refuses the description of a file of this post. Nothing was published.',
  'Change the alt text of the file, then schedule the post again.',
);

/** UTF-16 units. */
const MAX_ERROR_NAME = 100;
/** A day; the documented examples name 24 h and 15 days. Used when X names none. */
const LIFE_SECONDS = 86_400;
const LONGEST_LIFE_SECONDS = 366 * 86_400;
/** When X names no time for the next check. */
const CHECK_AFTER_SECONDS = 5;
const LONGEST_CHECK_SECONDS = 3_600;

interface UploadData {
  readonly id?: unknown;
  readonly media_key?: unknown;
  readonly expires_after_secs?: unknown;
  readonly processing_info?: unknown;
}

/** The new upload in a response to `initialize`; null: not readable. */
export function uploadIn(body: unknown): { id: string; key: string; lifeMs: number } | null {
  const { id: shownId, media_key: key, expires_after_secs: life } = dataIn(body);
  const id = idIn(shownId);
  if (id === null || typeof key !== 'string' || !/^\d{1,3}_\d{1,25}$/.test(key)) return null;
  return { id, key, lifeMs: 1000 * secondsIn(life, LIFE_SECONDS, LONGEST_LIFE_SECONDS) };
}

/** What follows a finalization or a status of the file with this index; null: not readable. */
export function processed(body: unknown, call: PrepareCall, file: number): PrepareResponse | null {
  const { id, processing_info: info } = dataIn(body);
  if (idIn(id) === null) return null;
  const { state = 'succeeded', check_after_secs: after, error } = recordIn(info);
  switch (state) {
    case 'succeeded':
      return uploaded(call, file);
    case 'pending':
    case 'in_progress': {
      const seconds = secondsIn(after, CHECK_AFTER_SECONDS, LONGEST_CHECK_SECONDS);
      return wait({ call: 'status', file }, seconds * 1000);
    }
    case 'failed':
      return {
        kind: 'refused',
        refusal: refusal('X', wordsIn(memberOf(error, 'name'), MAX_ERROR_NAME), FAILURES.processingFailed),
      };
    default:
      // A state that is not known is none that ends the processing.
      return typeof state === 'string' ? wait({ call: 'status', file }, CHECK_AFTER_SECONDS * 1000) : null;
  }
}

/** What follows when X has all bytes of the file with this index and has processed them. */
export function uploaded(call: PrepareCall, file: number): PrepareResponse {
  const notes = completed(call.prepared, file);
  const prepared = { ...call.prepared, notes: { ...call.prepared.notes, ...notes } };
  return { ...afterUploads(prepared, call.files), notes } as PrepareResponse;
}

/** A status that does not tell whether the upload was finalized: the one of images has no state, and X documents neither case. */
export const isInconclusive = (response: OutboundResponse): boolean =>
  response.kind === 'answered' &&
  ((response.status === 400 && isXError(response)) ||
    (response.status === 200 &&
      idIn(dataIn(response.body).id) !== null &&
      memberOf(dataIn(response.body).processing_info, 'state') === undefined));

const dataIn = (body: unknown): UploadData => recordIn(memberOf(body, 'data'));

function secondsIn(value: unknown, otherwise: number, max: number): number {
  return typeof value === 'number' && value >= 0 && value <= max ? value : otherwise;
}
