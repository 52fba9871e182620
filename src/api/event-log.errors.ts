import { DomainError } from '#libs/errors';

/** A reaction stopped at an event that it cannot process and needs a new release. */
export class ReactionsHaveStopped extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'reactions_stopped';

  constructor(names: readonly string[]) {
    super(
      `These reactions stopped at an event that they cannot process: ${names.join(', ')}. See the log of the worker, then fix the release.`,
    );
  }
}
