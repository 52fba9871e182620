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
