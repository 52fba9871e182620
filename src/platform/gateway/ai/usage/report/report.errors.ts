import { DomainError } from '#libs/errors';

/** The limit of this process; other replicas may have room. */
export class TooManyExports extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_exports';

  constructor(limit: number) {
    super(
      `This process serves at most ${limit} concurrent exports, and has no room for it, or not beyond the share of the caller. Try again in a moment.`,
      { retryAfterSeconds: 5 },
    );
  }
}
