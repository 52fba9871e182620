import { readElement } from '../../container/ebml.js';
import type { Source } from '../../isolation/source.js';

const EBML_ID = 0x1a45dfa3;
const SEGMENT_ID = 0x18538067;
const HEAD_BYTES = 4_096;

/**
 * Whether the segment of a Matroska or WebM file (RFC 8794, RFC 9559) is longer than the file. A live recording does not state
 * its length.
 */
export async function isMatroskaTruncated(source: Pick<Source, 'bytes' | 'read'>): Promise<boolean> {
  const head = await source.read(0, HEAD_BYTES);
  const header = readElement(head, 0);
  if (header?.id !== EBML_ID || header.bytes === null) return false;
  const segment = readElement(head, header.content + header.bytes);
  if (segment?.id !== SEGMENT_ID || segment.bytes === null) return false;
  return segment.content + segment.bytes > source.bytes;
}
