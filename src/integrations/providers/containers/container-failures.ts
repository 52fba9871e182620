import { FETCH_AGAIN, MEDIA_NOT_FETCHED } from '../../domain/delivery-outcome.js';
import type { Remedy } from '../../domain/provider-publishing.js';
import { FAILURES, type FailureTemplate, permanent, PREPARE_AGAIN, RETRY, transient } from '../failures.js';

/** A race of two machines of the network: documented as "wait for a moment". */
const NOT_READY_WAIT_MS = 5_000;
/** A limit of a rolling day: posts leave it one by one. */
export const DAILY_LIMIT_MS = 3_600_000;
/** Not published by the network. Clients report hours to days. */
const RESTRICTED_MS = 4 * 3_600_000;

export const CONTAINER_FAILURES = {
  ...FAILURES,
  expired: permanent(
    'media_expired',
    '{network} no longer has what was prepared for this post. Nothing was published.',
    'Schedule the post again.',
  ),
  notReady: transient(
    'media_not_ready',
    '{network} has not finished processing this post. Nothing was published.',
    RETRY,
  ),
  notFetched: permanent(
    MEDIA_NOT_FETCHED,
    '{network} could not fetch a file of this post from the media host. Nothing was published.',
    'An operator has to check that the media host can be reached from the internet; then retry.',
  ),
  fetchTimedOut: transient(
    MEDIA_NOT_FETCHED,
    '{network} did not fetch a file of this post in time. Nothing was published.',
    RETRY,
  ),
  processingBroke: transient(
    'media_processing_failed',
    '{network} could not process this post and names no reason. Nothing was published.',
    RETRY,
  ),
  processingTimeout: transient(
    'network_processing_timeout',
    '{network} has not finished processing this post in time. Nothing was published.',
    'Check the media of the post, then retry it.',
  ),
  textTooLong: permanent(
    'text_too_long',
    'The text is longer than {network} takes. Nothing was published.',
    'Shorten the text, then retry.',
  ),
  tooManyLinks: permanent(
    'too_many_links',
    'The post has more links than {network} takes. Nothing was published.',
    'Remove links, then retry.',
  ),
  coverOutOfRange: permanent(
    'cover_out_of_range',
    'The video has no frame at the time of the chosen cover. Nothing was published.',
    'Choose an earlier cover, then retry.',
  ),
  dailyLimit: transient(
    'rate_limited',
    'The account has published as many posts on {network} as it may within 24 hours.',
    'Retry in some hours.',
  ),
  restricted: transient(
    'temporarily_blocked',
    '{network} has restricted publishing of this account, because it takes it for spam.',
    'Look at the account at {network} for a notice; wait some hours, then retry.',
  ),
  accountRestricted: permanent(
    'forbidden_by_network',
    '{network} has restricted this account, or it is inactive.',
    'Sign in to {network}, follow its instructions, then retry.',
  ),
} as const satisfies Record<string, FailureTemplate>;

export const REMEDIES = {
  prepareAgain: PREPARE_AGAIN,
  notReady: { kind: 'wait', milliseconds: NOT_READY_WAIT_MS, prepareAgain: true },
  fetchAgain: FETCH_AGAIN,
  dailyLimit: { kind: 'hold', milliseconds: DAILY_LIMIT_MS },
  restricted: { kind: 'hold', milliseconds: RESTRICTED_MS },
} as const satisfies Record<string, Remedy>;
