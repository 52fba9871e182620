import type { FailureClass, FailureReport } from '#libs/content';
import type { Refusal } from '../../domain/provider-publishing.js';

interface Error {
  readonly status: number;
  readonly networkCode: string | null;
}
type Words = readonly [code: string, failureClass: FailureClass, message: string, nextStep: string];

const as =
  ([code, failureClass, message, nextStep]: Words) =>
  (error: Error): FailureReport => {
    return { code, class: failureClass, networkCode: networkCodeOf(error), message, nextStep };
  };

export const networkCodeOf = ({ networkCode, status }: Error): string => networkCode ?? String(status);

export const refused = as([
  'refused_by_network',
  'permanent',
  'LinkedIn refuses this post as it is.',
  'Change the post, then retry.',
]);
export const textTooLong = as([
  'text_too_long',
  'permanent',
  'LinkedIn refuses the post because its text is too long.',
  'Shorten the text, then retry. Characters that LinkedIn reserves count twice.',
]);
export const tokenRefused = as([
  'token_refused',
  'auth',
  'LinkedIn no longer accepts the connection of this account.',
  'Connect the account again, then retry the post.',
]);
export const forbidden = as([
  'forbidden_by_network',
  'permanent',
  'LinkedIn does not allow this account to publish this post.',
  'Check that the member still has a role on the page that allows posts, and that the app has the product; then retry.',
]);
export const duplicate = as([
  'duplicate_content',
  'permanent',
  'LinkedIn says that this account has already published the same content.',
  'Look at the account; change the text if it is to be published once more.',
]);
export const versionRetired = as([
  'api_version_retired',
  'configuration',
  'LinkedIn no longer serves the version of its API that this service is configured for.',
  'An operator has to set LINKEDIN_VERSION to a current version; the post is then sent.',
]);
export const rateLimited = as([
  'rate_limited',
  'transient',
  'The calls that LinkedIn allows for this account today are used up.',
  'The post waits until LinkedIn allows calls again.',
]);
export const fileNotReady = as([
  'media_not_ready',
  'transient',
  'LinkedIn has not finished processing a file of this post.',
  'Retry in some minutes.',
]);
const processing = as([
  'media_processing_failed',
  'permanent',
  'LinkedIn could not process a file of this post. Nothing was published.',
  'Replace the file, then schedule the post again.',
]);
export const mediaRefused = as([
  'media_refused',
  'permanent',
  'LinkedIn refuses a file of this post. Nothing was published.',
  'Replace the file, then schedule the post again.',
]);
const expired = as([
  'media_expired',
  'permanent',
  'LinkedIn no longer accepts the files that were uploaded for this post. Nothing was published.',
  'Schedule the post again.',
]);

/** LinkedIn has the bytes and cannot show them. */
export const processingFailed = (error: Error): Refusal => ({ failure: processing(error) });

/** @param error null: the time that LinkedIn named has passed, so LinkedIn was not asked */
export const mediaExpired = (error: Error | null): Refusal => ({
  failure: error ? expired(error) : { ...expired({ status: 0, networkCode: null }), networkCode: null },
  remedy: { kind: 'prepare-again' },
});
