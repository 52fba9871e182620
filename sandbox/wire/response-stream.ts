/** How a streamed response ended: with its last part, by a fault, or because the client closed the connection. */
export type StreamEnd = 'sent' | 'cut' | 'client-left';

/** A body that is sent in parts. */
export interface ResponseStream {
  /**
   * The next part is asked for when the client has taken the one before. `signal` is aborted when the client leaves, so that a
   * pause between parts ends.
   * @throws ConnectionIsCut to close the connection after the parts before
   */
  parts(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Called once. */
  ended?(how: StreamEnd): void;
}

/** A fault closes the connection in the middle of a body. */
export class ConnectionIsCut extends Error {
  override name = 'ConnectionIsCut';
}
