import { FETCH_AGAIN, MEDIA_NOT_FETCHED } from '../../domain/delivery-outcome.js';
import type { Refusal } from '../../domain/provider-publishing.js';
import {
  FAILURES,
  permanent,
  PREPARE_AGAIN,
  refusal,
  type RefusalTemplate,
  REPLACE_FILE,
} from '../failures.js';
import { type GraphError, networkCodeOf } from '../graph/graph-errors.js';
import { commonRefusal, unknownRefusal } from '../graph/graph-refusals.js';

/*
 * Errors of publishing on a page: developers.facebook.com/docs/graph-api/reference/page/{feed,photos,videos,video_reels} and
 * /docs/graph-api/guides/error-handling, read 2026-11-21; 1366046 is seen by clients, not documented.
 */

const NAME = 'Facebook';
const INVALID = 100;
const DUPLICATE = 506;

const DUPLICATE_CONTENT = permanent(
  'duplicate_content',
  '{network} says that this page has already published the same content.',
  'Look at the page; change the post if it is to be published once more.',
);
const LINK_REFUSED: RefusalTemplate = [
  permanent(
    'link_refused',
    '{network} could not read the link of this post.',
    'Check that the link opens without sign-in, or remove it, then retry.',
  ),
];
/** The same code for an address that does not answer, and for bytes that are no image. */
const NOT_FETCHED: RefusalTemplate = [
  permanent(
    MEDIA_NOT_FETCHED,
    '{network} could not fetch a file of this post, or could not read it as an image. Nothing was published.',
    'Replace the file, then retry. If that does not help, an operator has to check that the media host can be reached from the internet.',
  ),
  FETCH_AGAIN,
];
const PAGE_GONE: RefusalTemplate = [
  permanent(
    'forbidden_by_network',
    '{network} does not show the page of this account to this service any more.',
    'Check that the page exists and that you may create content on it, then connect it again.',
  ),
];
const MEDIA_REFUSED: RefusalTemplate = [FAILURES.mediaRefused];
const MEDIA_EXPIRED = permanent(
  'media_expired',
  '{network} no longer has the files that were uploaded for this post. Nothing was published.',
  'Schedule the post again.',
);
const PROCESSING_FAILED = permanent(
  'media_processing_failed',
  '{network} could not process the video of this post. Nothing was published.',
  REPLACE_FILE,
);

const BY_CODE: Readonly<Record<number, RefusalTemplate>> = {
  324: NOT_FETCHED,
  351: MEDIA_REFUSED,
  352: MEDIA_REFUSED,
  382: MEDIA_REFUSED,
  389: NOT_FETCHED,
  390: MEDIA_REFUSED,
  1500: LINK_REFUSED,
  6000: MEDIA_REFUSED,
  6001: MEDIA_REFUSED,
  1609005: LINK_REFUSED,
};
/** With code 100, and others. */
const BY_SUBCODE: Readonly<Record<number, RefusalTemplate>> = {
  33: PAGE_GONE,
  1363127: MEDIA_REFUSED,
  1363128: MEDIA_REFUSED,
  1363129: MEDIA_REFUSED,
  1366046: MEDIA_REFUSED,
  1609005: LINK_REFUSED,
};

/** Duplicates are decided first: they are evidence after an attempt whose answer was lost. @param waitMs until calls are accepted again */
export function facebookRefusal(error: GraphError, waitMs: number | null): Refusal {
  const networkCode = networkCodeOf(error);
  if (error.code === DUPLICATE || error.subcode === DUPLICATE)
    return { ...refusal(NAME, networkCode, DUPLICATE_CONTENT), duplicate: true };
  const own = BY_SUBCODE[error.subcode ?? 0] ?? BY_CODE[error.code ?? 0];
  if (own && !error.isTransient) return refusal(NAME, networkCode, ...own);
  return commonRefusal(NAME, error, waitMs) ?? unknownRefusal(NAME, error);
}

/** By 100 without a subcode Facebook refuses files that it no longer has, as other parameters. They are uploaded again, once. */
export function refusalWithFiles(error: GraphError, waitMs: number | null): Refusal {
  if (error.code !== INVALID || error.subcode !== null || error.isTransient)
    return facebookRefusal(error, waitMs);
  return { ...unknownRefusal(NAME, error), remedy: PREPARE_AGAIN };
}

/** The time that unpublished files live has passed, so Facebook was not asked. */
export const filesExpired = refusal(NAME, null, MEDIA_EXPIRED, PREPARE_AGAIN);

/** Facebook has the bytes and cannot show them. @param networkCode its name for the reason */
export const processingFailed = (networkCode: string | null): Refusal =>
  refusal(NAME, networkCode, PROCESSING_FAILED);
