import type { FailureReport } from '#libs/content';
import type { Refusal } from '../../domain/provider-publishing.js';
import { classifyRefusal, mediaExpired, networkCodeOf } from './x-errors.js';
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
  if (status === 404)
    return { failure: mediaExpired(networkCodeOf(error)), remedy: { kind: 'prepare-again' } };
  if (step === 'describe') return { failure: descriptionRefused(error) };
  const failure = mediaRefused(error);
  const mayHelp = status === 400 && step !== 'initialize';
  return mayHelp ? { failure, remedy: { kind: 'prepare-again' } } : { failure };
}

const ofThisPost = (refusal: Refusal): Refusal =>
  refusal.remedy?.kind === 'hold' ? { ...refusal, remedy: { ...refusal.remedy, kind: 'postpone' } } : refusal;

/** X has the bytes and cannot show them. @param networkCode X's name for the reason, such as `InvalidMedia` */
export const processingFailed = (networkCode: string | null): Refusal => ({
  failure: {
    code: 'media_processing_failed',
    class: 'permanent',
    networkCode,
    message: 'X could not process a file of this post. Nothing was published.',
    nextStep: 'Replace the file, then schedule the post again.',
  },
});

export const tooManySegments: Refusal = {
  failure: {
    code: 'media_too_large',
    class: 'permanent',
    networkCode: null,
    message: 'A file of this post is larger than X takes. Nothing was published.',
    nextStep: 'Replace the file by a smaller one, then schedule the post again.',
  },
};

const mediaRefused = (error: XError): FailureReport => ({
  code: 'media_refused',
  class: 'permanent',
  networkCode: networkCodeOf(error),
  message: 'X refuses a file of this post. Nothing was published.',
  nextStep: 'Replace the file, then schedule the post again.',
});

const descriptionRefused = (error: XError): FailureReport => ({
  code: 'alt_text_refused',
  class: 'permanent',
  networkCode: networkCodeOf(error),
  message: 'X refuses the description of a file of this post. Nothing was published.',
  nextStep: 'Change the alt text of the file, then schedule the post again.',
});
