import { DomainError } from '#libs/errors';
import type { Expectation } from './append-request.js';

/**
 * Somebody else appended first. `version`: the stream is not at the expected version; reading again and
 * deciding again helps, in the same transaction too. `order`: this transaction got its id before the
 * stream's last writer did, so its event would be read before the older one; only a new transaction helps.
 */
export class StreamHasMoved extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'stream_has_moved';

  constructor(
    readonly stream: string,
    readonly expected: Expectation,
    /** null when there is no such stream. */
    readonly currentVersion: number | null,
    readonly reason: 'version' | 'order',
  ) {
    super('Somebody else changed this at the same moment. Read it again and repeat the change.');
  }
}

/** There are no events under this id, or they are of another kind of stream. Features name what is missing. */
export class StreamNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'stream_not_found';

  constructor(
    readonly stream: string,
    readonly streamType: string,
  ) {
    super(`There is no ${streamType} with this id.`);
  }
}

/**
 * The stream holds an event of a shape or type that this release does not know: during a rolling release another replica runs a
 * newer one. Nothing can be decided on it here.
 */
export class EventIsNewer extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'event_of_newer_release';

  /** @param what names the event and what is unknown of it, as a sentence. */
  constructor(what: string) {
    super(`A newer release of this service changed this. ${what} Try again in a moment.`, {
      retryAfterSeconds: 5,
    });
  }
}

/** The caller decided about a version that is no longer the current one. */
export class VersionIsStale extends DomainError {
  readonly kind = 'precondition';
  readonly code = 'version_mismatch';

  constructor(readonly currentVersion: number) {
    super('This has changed since you read it. Read it again, then decide.', { members: { currentVersion } });
  }
}
