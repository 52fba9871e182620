import { type GifBlock, gifBlocks, startOfGifBlocks } from '../container/gif-blocks.js';

/** Of an application extension: introducer, label, length, and the name of the application. */
const START = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/**
 * The packet is not divided into sub-blocks: a decoder takes its bytes for their lengths, and wherever it gets into this trailer, ends at
 * its last byte (XMP part 3, section 1.1.2).
 */
const TRAILER = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);

/** In an application extension before the first picture. */
export function withXmpInGif(bytes: Buffer, packet: Buffer): Buffer | null {
  const at = startOfGifBlocks(bytes);
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || at > bytes.length) return null;
  const blocks = [...gifBlocks(bytes)];
  if (blocks.some(({ end }) => end > bytes.length)) return null;
  const kept = blocks.filter((block) => !isXmp(bytes, block));
  // GIF87a has no extensions.
  const header = Buffer.concat([Buffer.from('GIF89a', 'latin1'), bytes.subarray(6, at)]);
  const rest = [
    ...kept.map(({ start, end }) => bytes.subarray(start, end)),
    bytes.subarray(blocks.at(-1)?.end ?? at),
  ];
  return Buffer.concat([header, START, packet, TRAILER, ...rest]);
}

/** @returns the XMP packet of a GIF, which sharp does not read; undefined: it has none */
export function xmpInGif(bytes: Buffer): Buffer | undefined {
  for (const block of gifBlocks(bytes))
    if (isXmp(bytes, block)) return bytes.subarray(block.start + START.length, block.end - TRAILER.length);
  return undefined;
}

const isXmp = (bytes: Buffer, { start }: GifBlock): boolean =>
  bytes.subarray(start, start + START.length).equals(START);
