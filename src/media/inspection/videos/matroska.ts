import type { RangedSource } from '../../domain/ranged-source.js';
import { INDEX_BLOCK_BYTES } from '../domain/limits.js';

/** The header of an element of EBML (RFC 8794), the format of Matroska and WebM. */
interface EbmlElement {
  readonly id: number;
  /** Offset of the content. */
  readonly content: number;
  /** Of the content; null: not stated, as in a live recording. */
  readonly bytes: number | null;
}

/** IDs of these formats have up to 4 bytes, sizes up to 8. */
const MAX_ID_BYTES = 4;

/** @returns null when the bytes are no header */
function readElement(bytes: Uint8Array, at: number): EbmlElement | null {
  const idBytes = lengthOfNumber(bytes[at]);
  const sizeBytes = lengthOfNumber(bytes[at + idBytes]);
  const content = at + idBytes + sizeBytes;
  if (idBytes === 0 || idBytes > MAX_ID_BYTES || sizeBytes === 0 || content > bytes.length) return null;
  const id = numberOf(bytes.subarray(at, at + idBytes));
  return { id, content, bytes: sizeOf(bytes.subarray(at + idBytes, content)) };
}

/** The contents of the elements at the end of a path of IDs, as far as the bytes go. */
function* contentsAt(bytes: Uint8Array, [id, ...rest]: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, element = readElement(bytes, at); element; element = readElement(bytes, at)) {
    at = element.bytes === null ? bytes.length : element.content + element.bytes;
    const content = bytes.subarray(element.content, at);
    if (element.id !== id) continue;
    if (rest.length === 0) yield content;
    else yield* contentsAt(content, rest);
  }
}

/** Leading zero bits of the first byte, and one. 0: no number. */
const lengthOfNumber = (first: number | undefined): number => (first ? Math.clz32(first) - 23 : 0);

const numberOf = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0);

/** The marker of the length is removed before the sum: with it, a size of 8 bytes is over 2⁵⁶ and loses its last bits. */
function sizeOf(bytes: Uint8Array): number | null {
  const mask = 0xff >> bytes.length;
  const value = Uint8Array.from(bytes, (byte, index) => (index === 0 ? byte & mask : byte));
  const isUnknown = value.every((byte, index) => byte === (index === 0 ? mask : 0xff));
  return isUnknown ? null : numberOf(value);
}

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
