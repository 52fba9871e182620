/** The header of an element of EBML (RFC 8794), the format of Matroska and WebM. */
export interface EbmlElement {
  readonly id: number;
  /** Offset of the content. */
  readonly content: number;
  /** Of the content; null: not stated, as in a live recording. */
  readonly bytes: number | null;
}

/** IDs of these formats have up to 4 bytes, sizes up to 8. */
const MAX_ID_BYTES = 4;

/** @returns null when the bytes are no header */
export function readElement(bytes: Uint8Array, at: number): EbmlElement | null {
  const idBytes = lengthOfNumber(bytes[at]);
  const sizeBytes = lengthOfNumber(bytes[at + idBytes]);
  const content = at + idBytes + sizeBytes;
  if (idBytes === 0 || idBytes > MAX_ID_BYTES || sizeBytes === 0 || content > bytes.length) return null;
  const id = numberOf(bytes.subarray(at, at + idBytes));
  return { id, content, bytes: sizeOf(bytes.subarray(at + idBytes, content)) };
}

/** The contents of the elements at the end of a path of IDs, as far as the bytes go. */
export function* contentsAt(bytes: Uint8Array, [id, ...rest]: readonly number[]): Generator<Uint8Array> {
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
