import { DomainError } from '#libs/errors';
import type { Expectation } from './append-request.js';

/**
 * A concurrent append. `version`: the stream is not at the expected version; read and decide again, in the same
 * transaction or a new one. `order`: this transaction has a lower id than the stream's last writer, so its event would
 * be read before the older one; repeat in a new transaction.
 */
export class StreamHasMoved extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'stream_has_moved';

  constructor(
    readonly stream: string,
    readonly expected: Expectation,
    /** null when the stream does not exist. */
    readonly currentVersion: number | null,
    readonly reason: 'version' | 'order',
  ) {
    super('A concurrent request changed this. Read it again and repeat the change.');
  }
}

/**
 * A programming error: the transaction has written, or locked a row, before its first append. It already had its id, so a
 * reader of the log could see its events before those that it was decided on.
 */
export class AppendIsNotFirstWrite extends Error {
  constructor(streamType: string) {
    super(
      `The transaction wrote or locked rows before it appended to a ${streamType}. Append first, or set \`afterWrites\` ` +
        'if no other writer can know the stream.',
    );
    this.name = 'AppendIsNotFirstWrite';
  }
}

/** The id has no events, or those of another stream type. Features translate it to their own error. */
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
 * The stream holds an event whose schema or type this release does not know: in a rolling release, a replica of the newer
 * release wrote it. This replica cannot decide on the stream.
 */
export class EventIsNewer extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'event_of_newer_release';

  /** @param what a sentence that names the event and its unknown part */
  constructor(what: string) {
    super(`A newer release of this service changed this. ${what} Try again in a moment.`, {
      retryAfterSeconds: 5,
    });
  }
}

/** The caller decided on a version that is not the current one. */
export class VersionIsStale extends DomainError {
  readonly kind = 'precondition';
  readonly code = 'version_mismatch';

  constructor(readonly currentVersion: number) {
    super('This has changed since you read it. Read it again, then decide.', { members: { currentVersion } });
  }
}
