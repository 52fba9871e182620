export interface VideoBytes {
  /** Length. */
  readonly bytes: number;
  /** Bytes start ≤ i < end. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A demultiplexer that reads at one position so often does not advance. */
const MAX_READS_AT = 256;
/** Positions that are counted at a time: more than a loop of a damaged file has, few enough for a file with millions of elements. */
const MAX_POSITIONS = 10_000;

/** The parser of the file repeats reads for ever, as mediabunny 1.61 does where it looks for the next element after damaged ones. */
export class ReadsDoNotAdvance extends Error {
  constructor() {
    super('The reader of the file does not advance. Check for damaged elements.');
  }
}

/**
 * Ends loops that read at the same positions again and again, in any order. Each read must reach it: the reader caches nothing itself.
 * @throws ReadsDoNotAdvance
 */
export function advancing(source: VideoBytes): VideoBytes {
  const reads = new Map<number, number>();
  const read = (start: number, end: number): Promise<Uint8Array> => {
    const count = (reads.get(start) ?? 0) + 1;
    if (reads.size >= MAX_POSITIONS) reads.clear();
    reads.set(start, count);
    return count <= MAX_READS_AT ? source.read(start, end) : Promise.reject(new ReadsDoNotAdvance());
  };
  return { bytes: source.bytes, read };
}
