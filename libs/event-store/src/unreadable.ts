/** Is told of a stream that this release cannot read, and why. */
export type Unreadable = (stream: string, error: unknown) => void;

/** A stream that cannot be read is a failure of whoever asked for it. */
export const refuseUnreadable: Unreadable = (_, error) => {
  throw error;
};

/** Each by itself: what cannot be read is handed over, and keeps no other from being read. */
export function eachReadable<From, To>(
  streams: Iterable<readonly [stream: string, from: From]>,
  read: (from: From, stream: string) => To,
  unreadable: Unreadable,
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
