import { gifBlocks } from '../../container/gif-blocks.js';

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
