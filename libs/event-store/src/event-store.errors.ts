import { domainError } from '#libs/errors';
import type { AppendRequest, Expectation } from './append-request.js';

/** Called for each stream that this release cannot read. */
export type OnUnreadable = (stream: string, error: unknown) => void;

/** The default: an unreadable stream fails the whole call. */
export const throwUnreadable: OnUnreadable = (_, error) => {
  throw error;
};

/** Maps each stream separately, so that an unreadable one does not prevent reading the others. */
export function mapReadable<From, To>(
  streams: Iterable<readonly [stream: string, from: From]>,
  read: (from: From, stream: string) => To,
  unreadable: OnUnreadable,
): Map<string, To> {
  const found = new Map<string, To>();
  for (const [stream, from] of streams) {
    try {
      found.set(stream, read(from, stream));
    } catch (error) {
      unreadable(stream, error);
    }
  }
  return found;
}

/**
 * A concurrent append. `version`: the stream is not at the expected version; read and decide again, in the same
 * transaction or a new one. `order`: this transaction has a lower id than the stream's last writer, so its event would
 * be read before the older one; repeat in a new transaction.
 */
export class StreamHasMoved extends domainError(
  'conflict',
  'stream_has_moved',
  'A concurrent request changed this. Read it again and repeat the change.',
) {
  constructor(
    readonly stream: string,
    readonly expected: Expectation,
    /** null when the stream does not exist. */
    readonly currentVersion: number | null,
    readonly reason: 'version' | 'order',
  ) {
    super();
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
export class StreamNotFound extends domainError(
  'not-found',
  'stream_not_found',
  (streamType: string) => `There is no ${streamType} with this id.`,
) {}

/**
 * The stream holds an event whose schema or type this release does not know: in a rolling release, a replica of the
 * newer release wrote it. This replica cannot decide on the stream.
 * @param what a sentence that names the event and its unknown part
 */
export class EventIsNewer extends domainError('unavailable', 'event_of_newer_release', (what: string) => ({
  detail: `A newer release of this service changed this. ${what} Try again in a moment.`,
  retryAfterSeconds: 5,
})) {}

/** The caller decided on a version that is not the current one. */
export class VersionIsStale extends domainError(
  'precondition',
  'version_mismatch',
  (currentVersion: number) => ({
    detail: 'This has changed since you read it. Read it again, then decide.',
    members: { currentVersion },
  }),
) {}

/** The stored head of a stream. */
export interface Head {
  readonly stream: string;
  readonly stream_type: string;
  readonly version: number;
}

/** The reason of a refused append. If the head meets the expectation, a later transaction wrote it: reason `order`. */
export function conflictOf(
  { stream, streamType, expected }: AppendRequest,
  head: Head | undefined,
): StreamHasMoved {
  const isMet =
    expected === 'any' || (expected === 'exists' ? head !== undefined : expected === head?.version);
  const isOrder = isMet && (head === undefined || head.stream_type === streamType);
  return new StreamHasMoved(stream, expected, head?.version ?? null, isOrder ? 'order' : 'version');
}
