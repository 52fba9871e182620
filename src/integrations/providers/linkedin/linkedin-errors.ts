import type { PublishedPost } from '../../domain/delivery-outcome.js';
import type { NetworkResponse, Refusal, Remedy } from '../../domain/provider-publishing.js';
import {
  configuration,
  FAILURES,
  type FailureTemplate,
  permanent,
  REFRESH,
  refusal,
  RETRY,
  transient,
} from '../failures.js';
import { listIn, memberOf, wordsIn } from '../values.js';
import { postUrl } from './linkedin-values.js';

export interface LinkedInError {
  readonly status: number;
  /** The most specific of LinkedIn's codes, such as `DUPLICATE_POST` or `65601`; null when none is given. */
  readonly networkCode: string | null;
  readonly codes: readonly string[];
  /** All codes and texts in lower case. Texts repeat what was sent, so nothing that concerns other posts follows from them. Never shown. */
  readonly words: string;
  /** URN of the post that the text names; null: none. */
  readonly post: string | null;
}

const OWN_MEMBERS = ['serviceErrorCode', 'errorDetails'];
const OWN_CODE = /^[A-Z][A-Z\d_]{0,99}$/;
/** UTF-16 units; the longest known code has 30. */
const MAX_CODE = 100;
/** LinkedIn publishes no time; an image is usable after some seconds. */
const FILE_USABLE_AFTER_MS = 3_000;
/** A file that LinkedIn does not know as uploaded by then was not uploaded: the response to its finalization may have been lost. */
const UPLOAD_SHOWN_WITHIN_MS = 120_000;
const NAMED_POST = /urn:li:(?:share|ugcPost):\d{1,25}/;

/**
 * Parses both error formats: `{message, serviceErrorCode, status, code?}` and `{message, status, errorDetails: {inputErrors: [{code,
 * description}]}}` (learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling; the second one as clients have recorded it).
 */
export function readLinkedInError(status: number, body: unknown): LinkedInError {
  const inputs = listIn(memberOf(body, 'errorDetails', 'inputErrors'));
  const codes = [
    ...inputs.map((input) => codeIn(memberOf(input, 'code'))),
    codeIn(memberOf(body, 'code')),
    codeIn(memberOf(body, 'serviceErrorCode')),
  ].filter((code) => code !== null);
  const texts = [memberOf(body, 'message'), ...inputs.map((input) => memberOf(input, 'description'))].filter(
    (text) => typeof text === 'string',
  );
  return {
    status,
    networkCode: codes[0] ?? null,
    codes,
    words: [...codes, ...texts].join(' ').toLowerCase(),
    post: NAMED_POST.exec(texts.join(' '))?.[0] ?? null,
  };
}

/** LinkedIn gives a code, details, or its status with the message. Proxies write a message alone, or a number as the code. */
export function isLinkedInError({ status, body }: Pick<NetworkResponse, 'status' | 'body'>): boolean {
  const [code, message] = [memberOf(body, 'code'), memberOf(body, 'message')];
  if (typeof code === 'string' && OWN_CODE.test(code)) return true;
  if (OWN_MEMBERS.some((name) => memberOf(body, name) !== undefined)) return true;
  return typeof message === 'string' && memberOf(body, 'status') === status;
}

/** Statuses of 500 and above are no refusal and are not passed. @param site origin of public posts */
export function classifyRefusal(error: LinkedInError, waitMs: number, site: string): Refusal {
  switch (error.status) {
    case 400:
      return classifyInvalid(error);
    case 401:
      return refusalOf(error, FAILURES.tokenRefused, REFRESH);
    case 403:
      return refusalOf(error, FORBIDDEN);
    case 422:
      return isDuplicate(error) ? duplicateOf(error, site) : classifyInvalid(error);
    case 426:
      return refusalOf(error, VERSION_RETIRED);
    case 429:
      return refusalOf(error, RATE_LIMITED, { kind: 'hold', milliseconds: waitMs });
    default:
      return refusalOf(error, FAILURES.refused);
  }
}

export const refusalOf = (
  { status, networkCode }: Pick<LinkedInError, 'status' | 'networkCode'>,
  template: FailureTemplate,
  remedy?: Remedy,
): Refusal => refusal('LinkedIn', networkCode ?? String(status), template, remedy);

/** LinkedIn refuses the version that this service asks for, or asks for one. */
export const refusesVersion = ({ status, codes }: LinkedInError): boolean =>
  status === 426 || (status === 400 && codes.includes('VERSION_MISSING'));

function classifyInvalid(error: LinkedInError): Refusal {
  const { words } = error;
  if (refusesVersion(error)) return refusalOf(error, VERSION_RETIRED);
  if (words.includes('media_asset_processing_failed')) return refusalOf(error, FAILURES.processingFailed);
  const isMissing = words.includes('media_asset_waiting_upload');
  if (isMissing || words.includes('media_asset_processing')) {
    const remedy = { kind: 'postpone', milliseconds: FILE_USABLE_AFTER_MS } as const;
    const again = isMissing ? { ...remedy, prepareAgainAfterMs: UPLOAD_SHOWN_WITHIN_MS } : remedy;
    return refusalOf(error, FILE_NOT_READY, again);
  }
  if (words.includes('field_array_size_too_high') || words.includes('maxlength'))
    return refusalOf(error, TEXT_TOO_LONG);
  return refusalOf(error, FAILURES.refused);
}

const isDuplicate = ({ words }: LinkedInError): boolean =>
  words.includes('duplicate_post') || words.includes('is a duplicate of');

/** LinkedIn names the post. It may be one that was deleted meanwhile (ComposioHQ/composio#2710). */
function duplicateOf(error: LinkedInError, site: string): Refusal {
  const existing = error.post === null ? {} : { existing: publishedPost(error.post, site) };
  return { ...refusalOf(error, DUPLICATE), duplicate: true, ...existing };
}

export const publishedPost = (urn: string, site: string): PublishedPost => ({
  platformPostId: urn,
  platformPostUrl: postUrl(site, urn),
});

function codeIn(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : wordsIn(value, MAX_CODE);
}

const TEXT_TOO_LONG = permanent(
  'text_too_long',
  'LinkedIn refuses the post because its text is too long.',
  'Shorten the text, then retry. Characters that LinkedIn reserves count twice.',
);
const FORBIDDEN = permanent(
  'forbidden_by_network',
  'LinkedIn does not allow this account to publish this post.',
  'Check that the member still has a role on the page that allows posts, and that the app has the product; then retry.',
);
const DUPLICATE = permanent(
  'duplicate_content',
  'LinkedIn says that this account has already published the same content.',
  'Look at the account; change the text if it is to be published once more.',
);
const VERSION_RETIRED = configuration(
  'api_version_retired',
  'LinkedIn no longer serves the version of its API that this service is configured for.',
  'An operator has to set LINKEDIN_VERSION to a current version; the post is then sent.',
);
export const RATE_LIMITED = transient(
  'rate_limited',
  'The calls that LinkedIn allows for this account today are used up.',
  'The post waits until LinkedIn allows calls again.',
);
const FILE_NOT_READY = transient(
  'media_not_ready',
  'LinkedIn has not finished processing a file of this post.',
  RETRY,
);
