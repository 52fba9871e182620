import { domainError } from '#libs/errors';

/** A reaction stopped at an event that it cannot process and needs a new release. */
export class ReactionsHaveStopped extends domainError(
  'unavailable',
  'reactions_stopped',
  (names: readonly string[]) =>
    `These reactions stopped at an event that they cannot process: ${names.join(', ')}. See the log of the worker, then fix the release.`,
) {}
