import { contentsAt, readElement } from '../../container/ebml.js';
import type { RangedSource } from '../../domain/ranged-source.js';
import { INDEX_BLOCK_BYTES } from '../domain/limits.js';

const EBML_ID = 0x1a45dfa3;
const SEGMENT_ID = 0x18538067;
const HEAD_BYTES = 4_096;

/**
 * Whether the segment of a Matroska or WebM file (RFC 8794, RFC 9559) is longer than the file. A live recording does not state
 * its length.
 */
export async function isMatroskaTruncated(source: RangedSource): Promise<boolean> {
  const head = await source.read(0, HEAD_BYTES);
  const header = readElement(head, 0);
  if (header?.id !== EBML_ID || header.bytes === null) return false;
  const segment = readElement(head, header.content + header.bytes);
  if (segment?.id !== SEGMENT_ID || segment.bytes === null) return false;
  return segment.content + segment.bytes > source.bytes;
}

/** Segment, tracks, track, video, FlagInterlaced (RFC 9559, section 5.1.4.1.28.1). */
const PATH = [0x18538067, 0x1654ae6b, 0xae, 0xe0, 0x9a];
const INTERLACED = 1;
const PROGRESSIVE = 2;

/** Whether a track states fields. Tracks are at the beginning of a file. @returns null when none there states it */
export async function hasFieldsInMatroska(source: RangedSource): Promise<boolean | null> {
  const head = await source.read(0, Math.min(source.bytes, INDEX_BLOCK_BYTES));
  const flags = Array.from(contentsAt(head, PATH), (content) => content.at(-1));
  return flags.includes(INTERLACED) ? true : flags.includes(PROGRESSIVE) ? false : null;
}
