import type { CommitResponse, Refusal } from '../../domain/provider-publishing.js';
import { FAILURES, PREPARE_AGAIN } from '../failures.js';
import type { LinkedInError } from './linkedin-errors.js';
import { RATE_LIMITED, classifyRefusal, refusalOf, refusesVersion } from './linkedin-errors.js';
import type { MediaStep } from './linkedin-media-plan.js';

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

/**
 * The wait for a file that is not ready grows with the age of the upload: an image takes seconds, a video minutes, and each wait is an
 * attempt in the history of the post.
 */
export function fileWait(response: CommitResponse, ageMs: number): CommitResponse {
  if (response.kind !== 'refused' || response.refusal.remedy?.kind !== 'postpone') return response;
  const { remedy } = response.refusal;
  const milliseconds = Math.min(Math.max(remedy.milliseconds, ageMs / 2), LONGEST_FILE_WAIT_MS);
  return { ...response, refusal: { ...response.refusal, remedy: { ...remedy, milliseconds } } };
}
