import { gifBlocks } from '../../container/gif-blocks.js';

const START_OF_IMAGE = 0xffd8;
const hasNoLength = (marker: number): boolean => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);
const START_OF_SEQUENTIAL_FRAME: readonly number[] = [0xc0, 0xc1];
const START_OF_SCAN = 0xda;
/** First and last coefficient, and bit positions: what a sequential scan has (ITU-T T.81, table B.3). */
const SEQUENTIAL_SCAN = [0, 63, 0] as const;

/**
 * A JPEG without the faults that cost no pixel and that the decoder reports like damage: stray bytes between the segments before the first
 * scan, and parameters of a sequential scan, which have one possible value and which some cameras of phones write otherwise. The picture
 * itself is not touched: what is wrong in it is reported by a second decoding.
 * @returns null when there is no such fault, or when it is no JPEG
 */
export function withoutHarmlessFaults(bytes: Buffer): Buffer | null {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== START_OF_IMAGE) return null;
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  let isSequential = false;
  for (let at = 2; ;) {
    const start = bytes.indexOf(0xff, at);
    if (start === -1 || start + 4 > bytes.length) return null;
    const marker = bytes.readUInt8(start + 1);
    if (marker === 0xff || hasNoLength(marker)) {
      at = start + (marker === 0xff ? 1 : 2);
      continue;
    }
    const end = start + 2 + bytes.readUInt16BE(start + 2);
    const segment = bytes.subarray(start, end);
    isSequential ||= START_OF_SEQUENTIAL_FRAME.includes(marker);
    parts.push(marker === START_OF_SCAN && isSequential ? sequentialScan(segment) : segment);
    if (marker === START_OF_SCAN) return differing(Buffer.concat([...parts, bytes.subarray(end)]), bytes);
    at = end;
  }
}

const sequentialScan = (segment: Buffer): Buffer =>
  Buffer.concat([segment.subarray(0, -SEQUENTIAL_SCAN.length), Buffer.from(SEQUENTIAL_SCAN)]);

const differing = (changed: Buffer, bytes: Buffer): Buffer | null => (changed.equals(bytes) ? null : changed);

/** Length and type. */
const HEADER_BYTES = 8;
const CHECKSUM_BYTES = 4;
const SIGNATURE_BYTES = 8;

/** Whether the chunk `acTL` comes before the picture, at any place (PNG, third edition, section 11.3.6.1). `file-type` reads the first bytes only. */
export function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = SIGNATURE_BYTES; at + HEADER_BYTES <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + HEADER_BYTES);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    at += HEADER_BYTES + bytes.readUInt32BE(at) + CHECKSUM_BYTES;
  }
  return false;
}

/**
 * Whether a GIF (GIF89a, sections 15 to 27) ends inside a block. The decoder shows the frames before without an error. A missing
 * trailer alone is common and harmless.
 */
export function isGifTruncated(bytes: Uint8Array): boolean {
  const blocks = gifBlocks(bytes);
  let next = blocks.next();
  while (!next.done) next = blocks.next();
  return !next.value;
}
