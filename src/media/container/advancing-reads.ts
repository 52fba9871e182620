export interface VideoBytes {
  /** Length. */
  readonly bytes: number;
  /** Bytes start ≤ i < end. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A demultiplexer that asks for the same range so often, one time after another, does not advance. */
const MAX_REPEATS = 64;

/** The parser of the file repeats a read for ever, as mediabunny 1.61 does where it looks for the next element after damaged ones. */
export class ReadsDoNotAdvance extends Error {
  constructor() {
    super('The reader of the file does not advance. Check for damaged elements.');
  }
}

/**
 * Ends loops that read one range again and again. Each read must reach it: the reader caches nothing itself.
 * @throws ReadsDoNotAdvance
 */
export function advancing(source: VideoBytes): VideoBytes {
  let last: { readonly start: number; readonly end: number } | undefined;
  let repeats = 0;
  const read = (start: number, end: number): Promise<Uint8Array> => {
    repeats = last?.start === start && last.end === end ? repeats + 1 : 0;
    last = { start, end };
    return repeats < MAX_REPEATS ? source.read(start, end) : Promise.reject(new ReadsDoNotAdvance());
  };
  return { bytes: source.bytes, read };
}
