import type { FailureReport, Instant } from '#libs/content';

/** Whether the files of a post can be sent to its network. */
export type MediaReadiness =
  /** Also without files. */
  | { readonly kind: 'ready' }
  /** The worker still makes them fit the network, or the media library fails: nothing else is known of the files then. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'unusable'; readonly failure: FailureReport };

/** Reason of a hold while the files of a post are made fit for its network. */
export const MEDIA_PROCESSING = 'media_processing';

const MIN_WAIT_MS = 30_000;
const MAX_WAIT_MS = 600_000;

/**
 * End of a hold for files. The hold ends early when the files are ready, so that its length bounds the number of events only:
 * it grows with the time that the post has waited.
 * @param since start of the late window
 */
export function mediaHoldUntil(since: Instant, now: Instant, lateAt: Instant): Instant {
  const start = Date.parse(since);
  const at = Date.parse(now);
  const wait = Math.min(Math.max((at - start) / 4, MIN_WAIT_MS), MAX_WAIT_MS);
  const afterWindow = Date.parse(lateAt) + 1;
  return new Date(Math.min(at + wait, Math.max(afterWindow, at + 1))).toISOString();
}

export const mediaTookTooLong: FailureReport = {
  code: 'media_processing_timeout',
  class: 'missed',
  networkCode: null,
  message: 'The files of the post could not be made fit for the network within its late window.',
  nextStep: 'Replace the files, or reschedule the post to try again.',
};

/** @param message what is wrong with the file, then what to do */
export const mediaIsUnfit = (message: string): FailureReport => ({
  code: 'media_unfit',
  class: 'permanent',
  networkCode: null,
  message,
  nextStep: 'Replace the file in the post, then retry it.',
});

export const mediaIsMissing: FailureReport = {
  code: 'media_missing',
  class: 'permanent',
  networkCode: null,
  message: 'A file of the post, or its stored bytes, no longer exists in the media library.',
  nextStep: 'Upload the file again and replace it in the post, then retry it.',
};
