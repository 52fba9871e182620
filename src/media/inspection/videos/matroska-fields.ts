import { contentsAt } from '../../container/ebml.js';
import type { VideoBytes } from '../../container/advancing-reads.js';
import { INDEX_BLOCK_BYTES } from '../domain/index-blocks.js';

/** Segment, tracks, track, video, FlagInterlaced (RFC 9559, section 5.1.4.1.28.1). */
const PATH = [0x18538067, 0x1654ae6b, 0xae, 0xe0, 0x9a];
const INTERLACED = 1;
const PROGRESSIVE = 2;

/** Whether a track states fields. Tracks are at the beginning of a file. @returns null when none there states it */
export async function hasFieldsInMatroska(source: VideoBytes): Promise<boolean | null> {
  const head = await source.read(0, Math.min(source.bytes, INDEX_BLOCK_BYTES));
  const flags = Array.from(contentsAt(head, PATH), (content) => content.at(-1));
  return flags.includes(INTERLACED) ? true : flags.includes(PROGRESSIVE) ? false : null;
}
