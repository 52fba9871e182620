/** Length and type. */
const HEADER_BYTES = 8;
const CHECKSUM_BYTES = 4;
const SIGNATURE_BYTES = 8;

/** Whether the chunk `acTL` comes before the picture, wherever (PNG, third edition, section 11.3.6.1). `file-type` reads the first bytes only. */
export function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = SIGNATURE_BYTES; at + HEADER_BYTES <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + HEADER_BYTES);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    at += HEADER_BYTES + bytes.readUInt32BE(at) + CHECKSUM_BYTES;
  }
  return false;
}
