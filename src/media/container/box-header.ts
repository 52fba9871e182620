/**
 * The header of a box of the ISO base media file format (ISO/IEC 14496-12, section 4.2): 4 bytes of size, 4 of type, then the content.
 * A size of 1 means that 8 bytes of size follow the type; 0 means to the end of the file.
 */
export interface BoxHeader {
  readonly type: string;
  readonly headerBytes: number;
  /** Of the whole box; null: to the end of the file. */
  readonly bytes: number | null;
}

export const MAX_HEADER_BYTES = 16;

/** @returns null when the bytes are no header */
export function readHeader(bytes: Buffer, at = 0): BoxHeader | null {
  if (bytes.length < at + 8) return null;
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (size === 0) return { type, headerBytes: 8, bytes: null };
  if (size >= 8) return { type, headerBytes: 8, bytes: size };
  if (size !== 1 || bytes.length < at + 16) return null;
  const large = Number(bytes.readBigUInt64BE(at + 8));
  return large >= 16 ? { type, headerBytes: 16, bytes: large } : null;
}
