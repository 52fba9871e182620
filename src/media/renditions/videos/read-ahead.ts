import type { RangedSource } from '../domain/render.types.js';

/** One request for about a second of video. */
const BLOCK_BYTES = 1024 * 1024;
/** Sound and picture may be far apart in the file, each with its own block; the index is between them. */
const BLOCKS = 3;

/**
 * Reads a source in large blocks and keeps the most recent few: packets are small, and each read of the source is a request.
 */
export function readAhead(source: RangedSource): RangedSource {
  const blocks = new Map<number, Promise<Uint8Array>>();
  const block = (number: number): Promise<Uint8Array> => {
    const start = number * BLOCK_BYTES;
    const bytes = blocks.get(number) ?? source.read(start, Math.min(source.bytes, start + BLOCK_BYTES));
    // The most recently used block is the last one.
    blocks.delete(number);
    blocks.set(number, bytes);
    for (const oldest of blocks.keys()) if (blocks.size > BLOCKS) blocks.delete(oldest);
    return bytes;
  };
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const result = new Uint8Array(end - start);
    for (let at = start; at < end;) {
      const number = Math.floor(at / BLOCK_BYTES);
      const offset = at - number * BLOCK_BYTES;
      const part = (await block(number)).subarray(offset, offset + end - at);
      if (part.length === 0) throw new RangeError('The source is shorter than it states.');
      result.set(part, at - start);
      at += part.length;
    }
    return result;
  };
  return { bytes: source.bytes, read };
}
