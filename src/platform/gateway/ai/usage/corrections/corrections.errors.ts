import { domainError } from '#libs/errors';

export class AttemptNotFound extends domainError(
  'not-found',
  'attempt_not_found',
  'There is no such attempt, or it is older than usage is kept. List the doubted ones.',
) {}

/** It runs, or nothing was sent. */
export class AttemptIsNotSettled extends domainError('conflict', 'attempt_not_settled', (state: string) => ({
  detail:
    state === 'reserved'
      ? 'The attempt still runs. Correct it when it has ended.'
      : 'Nothing was sent, so that the attempt has no usage. Correct another one.',
  isFinal: false,
})) {}
