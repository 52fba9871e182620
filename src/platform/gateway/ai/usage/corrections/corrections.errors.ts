import { DomainError } from '#libs/errors';

export class AttemptNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'attempt_not_found';

  constructor() {
    super('There is no such attempt, or it is older than usage is kept. List the doubted ones.');
  }
}

/** It runs, or nothing was sent. */
export class AttemptIsNotSettled extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'attempt_not_settled';
  override readonly isFinal = false;

  constructor(state: string) {
    super(
      state === 'reserved'
        ? 'The attempt still runs. Correct it when it has ended.'
        : 'Nothing was sent, so that the attempt has no usage. Correct another one.',
    );
  }
}
