import type { AppendRequest } from './append-request.js';
import { StreamHasMoved } from './event-store.errors.js';

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
