import { DomainError } from '#libs/errors';

/** A reaction met an event that it cannot digest and waits for a new version of itself. */
export class ReactionsHaveStopped extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'reactions_stopped';

  constructor(names: readonly string[]) {
    super(`Stopped at an event they cannot digest: ${names.join(', ')}. The log of the worker says why.`);
  }
}
