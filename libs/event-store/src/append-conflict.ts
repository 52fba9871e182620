import type { AppendRequest } from './append-request.js';
import { StreamHasMoved } from './event-store.errors.js';

/** Of a stream, as stored. */
export interface Head {
  readonly stream: string;
  readonly stream_type: string;
  readonly version: number;
}

/** Why an append did not hold. A head that is as expected was moved by a later transaction: the order is wrong. */
export function conflict(
  { stream, streamType, expected }: AppendRequest,
  head: Head | undefined,
): StreamHasMoved {
  const holds =
    expected === 'any' || (expected === 'exists' ? head !== undefined : expected === head?.version);
  const isOrder = holds && (head === undefined || head.stream_type === streamType);
  return new StreamHasMoved(stream, expected, head?.version ?? null, isOrder ? 'order' : 'version');
}
