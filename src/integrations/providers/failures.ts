import type { FailureClass, FailureReport } from '#libs/content';
import { NETWORK_UNREACHABLE } from '../domain/network-state.js';
import type { Refusal, Remedy } from '../domain/provider-publishing.js';

/** `{network}` in a sentence stands for the display name of the network. */
export type FailureTemplate = readonly [
  code: string,
  failureClass: FailureClass,
  message: string,
  nextStep: string,
];

export type RefusalTemplate = readonly [failure: FailureTemplate, remedy?: Remedy];

export function failureOf(
  displayName: string,
  networkCode: string | null,
  [code, failureClass, message, nextStep]: FailureTemplate,
): FailureReport {
  const named = (sentence: string) => sentence.replaceAll('{network}', displayName);
  return { code, class: failureClass, networkCode, message: named(message), nextStep: named(nextStep) };
}

/** @param networkCode null: the network was not asked, or names no reason */
export function refusal(
  displayName: string,
  networkCode: string | null,
  template: FailureTemplate,
  remedy?: Remedy,
): Refusal {
  const failure = failureOf(displayName, networkCode, template);
  return remedy ? { failure, remedy } : { failure };
}

export const refusedHere = (
  displayName: string,
  template: FailureTemplate,
  remedy?: Remedy,
): { readonly kind: 'refused'; readonly refusal: Refusal } => ({
  kind: 'refused',
  refusal: refusal(displayName, null, template, remedy),
});

export const RECONNECT = 'Connect the account again, then retry the post.';
export const REPLACE_FILE = 'Replace the file, then schedule the post again.';
export const RETRY = 'Retry in some minutes.';

const templatesOf =
  (failureClass: FailureClass) =>
  (code: string, message: string, nextStep: string): FailureTemplate => [
    code,
    failureClass,
    message,
    nextStep,
  ];

export const transient = templatesOf('transient');
export const permanent = templatesOf('permanent');
export const auth = templatesOf('auth');
export const configuration = templatesOf('configuration');

/** Failures that several networks have in common. A network's own stand in the file of its errors. */
export const FAILURES = {
  unreachable: transient(NETWORK_UNREACHABLE, '{network} could not be reached; nothing was sent.', RETRY),
  tokenRefused: auth(
    'token_refused',
    '{network} no longer accepts the connection of this account.',
    RECONNECT,
  ),
  rateLimited: transient(
    'rate_limited',
    '{network} asked to wait before this account publishes again.',
    RETRY,
  ),
  refused: permanent(
    'refused_by_network',
    '{network} refuses this post as it is.',
    'Change the post, then retry.',
  ),
  parentInvisible: transient(
    'reply_target_not_visible',
    '{network} could not find the previous part of the thread.',
    'Check that the previous part is still live, then retry.',
  ),
  mediaRefused: permanent(
    'media_refused',
    '{network} refuses a file of this post. Nothing was published.',
    REPLACE_FILE,
  ),
  mediaTooLarge: permanent(
    'media_too_large',
    'A file of this post is larger than {network} takes. Nothing was published.',
    'Replace the file by a smaller one, then schedule the post again.',
  ),
  mediaExpired: permanent(
    'media_expired',
    '{network} no longer accepts the files that were uploaded for this post. Nothing was published.',
    'Schedule the post again.',
  ),
  processingFailed: permanent(
    'media_processing_failed',
    '{network} could not process a file of this post. Nothing was published.',
    REPLACE_FILE,
  ),
} as const satisfies Record<string, FailureTemplate>;

export const PREPARE_AGAIN = { kind: 'prepare-again' } as const satisfies Remedy;
export const REFRESH = { kind: 'refresh' } as const satisfies Remedy;
