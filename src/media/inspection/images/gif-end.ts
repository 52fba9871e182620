const TRAILER = 0x3b;
const EXTENSION = 0x21;
const IMAGE = 0x2c;

/**
 * Whether a GIF (GIF89a, sections 15 to 27) ends inside a block. The decoder shows the frames before without an error. A missing
 * trailer alone is common and harmless.
 */
export function isGifTruncated(bytes: Uint8Array): boolean {
  // Header and logical screen descriptor, then the colours.
  let at = 13 + tableBytes(bytes[10]);
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === EXTENSION) at = endOfBlocks(bytes, at + 2);
    // The descriptor, the colours, the code size.
    else if (kind === IMAGE) at = endOfBlocks(bytes, at + 10 + tableBytes(bytes[at + 9]) + 1);
    else return kind !== TRAILER;
  }
  return at > bytes.length;
}

const tableBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Sub-blocks begin with their length; an empty one is the last. @returns the offset after it; Infinity: there is none */
function endOfBlocks(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length;) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return Infinity;
}
