import { domainError } from '#libs/errors';

/** The limit of this process; other replicas may have room. */
export class TooManyExports extends domainError('rate-limited', 'too_many_exports', (limit: number) => ({
  detail: `This process serves at most ${limit} concurrent exports, and has no room for it, or not beyond the share of the caller. Try again in a moment.`,
  retryAfterSeconds: 5,
})) {}
