import { DomainError } from '#libs/errors';

/** A reaction stopped at an event that it cannot process and needs a new release. */
export class ReactionsHaveStopped extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'reactions_stopped';

  constructor(names: readonly string[]) {
    super(`Stopped at an event they cannot digest: ${names.join(', ')}. The log of the worker says why.`);
  }
}
