import type { RangedSource } from '../domain/ranged-source.js';

/** Sound and picture may be far apart in the file, each with its own block; the index is between them. */
const BLOCKS = 3;

/**
 * Reads a source in large blocks and keeps the most recent few: packets are small, and each read of the source is a request.
 */
export function readAhead(source: RangedSource, blockBytes: number, kept = BLOCKS): RangedSource {
  const blocks = new Map<number, Promise<Uint8Array>>();
  const block = (number: number): Promise<Uint8Array> => {
    const start = number * blockBytes;
    const bytes = blocks.get(number) ?? source.read(start, Math.min(source.bytes, start + blockBytes));
    // The most recently used block is the last one.
    blocks.delete(number);
    blocks.set(number, bytes);
    for (const oldest of blocks.keys()) if (blocks.size > kept) blocks.delete(oldest);
    return bytes;
  };
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const result = new Uint8Array(end - start);
    for (let at = start; at < end;) {
      const number = Math.floor(at / blockBytes);
      const offset = at - number * blockBytes;
      const part = (await block(number)).subarray(offset, offset + end - at);
      if (part.length === 0) throw new RangeError('The source is shorter than it states.');
      result.set(part, at - start);
      at += part.length;
    }
    return result;
  };
  return { bytes: source.bytes, read };
}

/** A range without a copy. */
export async function readBuffer(source: RangedSource, start: number, end: number): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await source.read(start, Math.min(end, source.bytes));
  return Buffer.from(buffer, byteOffset, byteLength);
}
