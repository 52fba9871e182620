import type { Source } from '../../isolation/source.js';

const EBML_ID = 0x1a45dfa3;
const SEGMENT_ID = 0x18538067;
const HEAD_BYTES = 4_096;

/**
 * Whether the segment of a Matroska or WebM file (RFC 8794, RFC 9559) is longer than the file. A live recording does not state
 * its length.
 */
export async function isMatroskaTruncated(source: Source): Promise<boolean> {
  const head = await source.read(0, HEAD_BYTES);
  const header = elementAt(head, 0);
  if (header?.id !== EBML_ID || header.bytes === null) return false;
  const segment = elementAt(head, header.content + header.bytes);
  if (segment?.id !== SEGMENT_ID || segment.bytes === null) return false;
  return segment.content + segment.bytes > source.bytes;
}

interface Element {
  readonly id: number;
  /** Offset of the content. */
  readonly content: number;
  /** Of the content; null: not stated. */
  readonly bytes: number | null;
}

function elementAt(bytes: Uint8Array, at: number): Element | null {
  const idBytes = lengthOfNumber(bytes[at]);
  const sizeBytes = lengthOfNumber(bytes[at + idBytes]);
  const content = at + idBytes + sizeBytes;
  if (idBytes === 0 || sizeBytes === 0 || content > bytes.length) return null;
  const size = numberOf(bytes.subarray(at + idBytes, content)) - 2 ** (7 * sizeBytes);
  const isUnknown = size === 2 ** (7 * sizeBytes) - 1;
  return { id: numberOf(bytes.subarray(at, at + idBytes)), content, bytes: isUnknown ? null : size };
}

/** Leading zero bits of the first byte, and one. 0: no number. */
const lengthOfNumber = (first: number | undefined): number => (first ? Math.clz32(first) - 23 : 0);

const numberOf = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0);
