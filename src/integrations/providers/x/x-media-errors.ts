import type { Refusal } from '../../domain/provider-publishing.js';
import type { FailureTemplate } from '../failures.js';
import { FAILURES, PREPARE_AGAIN } from '../failures.js';
import { classifyRefusal, refusalOf } from './x-errors.js';
import type { XError } from './x-errors.js';
import type { MediaStep } from './x-media-plan.js';

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

const DESCRIPTION_REFUSED: FailureTemplate = [
  'alt_text_refused',
  'permanent',
  'X refuses the description of a file of this post. Nothing was published.',
  'Change the alt text of the file, then schedule the post again.',
];
