import { DomainError } from '#libs/errors';

/** It does not exist, is older than it is kept, or belongs to another organization: the answer is the same. */
export class TrendNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'trend_not_found';

  constructor() {
    super('The trend does not exist any longer, or you have no access to it. Read the trends again.');
  }
}

/** Asking the sources would exceed the limit of the brand, and none has an older result. */
export class TrendLimitIsReached extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'trend_limit_reached';

  constructor(limit: number, retryAfterSeconds: number) {
    super(
      `The sources of a brand are asked at most ${limit} times an hour. Nothing is stored from before. Try later.`,
      {
        retryAfterSeconds,
      },
    );
  }
}

/** No source gave a result, and none has an older one; at least one is limited: by its rate, or by a budget. */
export class TrendSourcesAreLimited extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'trend_source_limited';

  /** @param reason of the source */
  constructor(reason: string, retryAfterSeconds: number) {
    super(`The sources of trends are limited (${reason}), and nothing is stored from before.`, {
      retryAfterSeconds,
    });
  }
}

/** No source gave a result, and none has an older one. */
export class TrendsAreUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'trends_unavailable';

  constructor(reason: string, retryAfterSeconds: number) {
    super(
      `No source of trends gave a result (${reason}), and nothing is stored from before. Try again later.`,
      { retryAfterSeconds },
    );
  }
}
