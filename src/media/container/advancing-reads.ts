export interface VideoBytes {
  /** Length. */
  readonly bytes: number;
  /** Bytes start ≤ i < end. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A demultiplexer that reads so often, one time after another, where it read lately does not advance. */
const MAX_REPEATS = 1_024;
/** Positions that a loop may have. */
const RECENT_POSITIONS = 128;

/** The parser of the file repeats reads for ever, as mediabunny 1.61 does where it looks for the next element after damaged ones. */
export class ReadsDoNotAdvance extends Error {
  constructor() {
    super('The reader of the file does not advance. Check for damaged elements.');
  }
}

/**
 * Ends loops that read at the same positions again and again, in any order. A read at another position ends the count: a file may have
 * one header that is read before each of a million packets. Each read must reach it: the reader caches nothing itself.
 * @throws ReadsDoNotAdvance
 */
export function advancing(source: VideoBytes): VideoBytes {
  const recent = new Set<number>();
  let repeats = 0;
  const read = (start: number, end: number): Promise<Uint8Array> => {
    repeats = recent.delete(start) ? repeats + 1 : 0;
    recent.add(start);
    for (const oldest of recent) {
      if (recent.size <= RECENT_POSITIONS) break;
      recent.delete(oldest);
    }
    return repeats < MAX_REPEATS ? source.read(start, end) : Promise.reject(new ReadsDoNotAdvance());
  };
  return { bytes: source.bytes, read };
}
