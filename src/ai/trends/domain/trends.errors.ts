import { domainError } from '#libs/errors';

/** It does not exist, is older than it is kept, or belongs to another organization: the answer is the same. */
export class TrendNotFound extends domainError(
  'not-found',
  'trend_not_found',
  'The trend does not exist any longer, or you have no access to it. Read the trends again.',
) {}

export class TrendLimitIsReached extends domainError(
  'rate-limited',
  'trend_limit_reached',
  (limit: number, retryAfterSeconds: number) => ({
    detail: `The sources of a brand are asked at most ${limit} times an hour. Nothing is stored from before. Try later.`,
    retryAfterSeconds,
  }),
) {}

/**
 * No source gave a result, and none has an older one; at least one is limited: by its rate, or by a budget.
 * @param reason of the source
 */
export class TrendSourcesAreLimited extends domainError(
  'rate-limited',
  'trend_source_limited',
  (reason: string, retryAfterSeconds: number) => ({
    detail: `The sources of trends are limited (${reason}), and nothing is stored from before.`,
    retryAfterSeconds,
  }),
) {}

export class TrendsAreUnavailable extends domainError(
  'unavailable',
  'trends_unavailable',
  (reason: string, retryAfterSeconds: number) => ({
    detail: `No source of trends gave a result (${reason}), and nothing is stored from before. Try again later.`,
    retryAfterSeconds,
  }),
) {}
