const TRAILER = 0x3b;
const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** A block of a GIF: an extension with its sub-blocks, or a picture with its colours and its sub-blocks. */
export interface GifBlock {
  readonly kind: 'extension' | 'image';
  readonly start: number;
  /** After its last byte; Infinity: the file ends inside. */
  readonly end: number;
}

/** Where the first block begins: after the header, the logical screen descriptor and the colours (GIF89a, sections 17 to 19). */
export const startOfGifBlocks = (bytes: Uint8Array): number => 13 + tableBytes(bytes[10]);

/** The blocks up to the trailer, the end of the file, or what is no block. @returns whether there was one of the first two */
export function* gifBlocks(bytes: Uint8Array): Generator<GifBlock, boolean> {
  let at = startOfGifBlocks(bytes);
  while (at < bytes.length) {
    const start = at;
    const kind = bytes[at];
    if (kind === TRAILER) return true;
    if (kind !== EXTENSION && kind !== IMAGE) return false;
    // The descriptor, the colours, the code size.
    const header = kind === EXTENSION ? 2 : 10 + tableBytes(bytes[at + 9]) + 1;
    at = endOfSubBlocks(bytes, at + header);
    yield { kind: kind === EXTENSION ? 'extension' : 'image', start, end: at };
  }
  return at === bytes.length;
}

const tableBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Sub-blocks begin with their length; an empty one is the last. @returns the offset after it; Infinity: there is none */
function endOfSubBlocks(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length;) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return Infinity;
}
