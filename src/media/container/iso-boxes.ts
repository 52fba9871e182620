import type { RangedSource } from '../domain/ranged-source.js';
import { readBuffer } from '../isolation/read-ahead.js';

/** An entry of an edit list (ISO/IEC 14496-12, section 8.6.6). */
export interface Edit {
  /** In the time scale of the movie. */
  readonly duration: number;
  /** In the time scale of the track; -1: nothing is shown. */
  readonly mediaTime: number;
  readonly rate: number;
}

/** @param content of `elst`, or its beginning. @returns the entries that are there in whole */
export function readEdits(content: Buffer): Edit[] {
  const isLong = content.length > 0 && content[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  const available = Math.floor((content.length - 8) / entryBytes);
  const count = content.length < 8 ? 0 : Math.min(content.readUInt32BE(4), available);
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * entryBytes;
    return {
      duration: isLong ? Number(content.readBigUInt64BE(at)) : content.readUInt32BE(at),
      mediaTime: isLong ? Number(content.readBigInt64BE(at + 8)) : content.readInt32BE(at + 4),
      rate: content.readInt32BE(at + entryBytes - 4) / 0x10000,
    };
  });
}

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

const MAX_HEADER_BYTES = 16;

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

/** Where a box of the top level is. Its content begins at `content`. */
export interface BoxPlace {
  readonly type: string;
  readonly start: number;
  readonly content: number;
  /** As its header says: it can be after the end of the file. */
  readonly end: number;
}

/** Of one level that are read. Fragmented files have a box or two for each second; the index is before them. */
export const MAX_BOXES = 64;

/** The boxes of the top level, up to a malformed header, the end of the file or `MAX_BOXES`. */
export async function readBoxes(source: RangedSource): Promise<BoxPlace[]> {
  const boxes: BoxPlace[] = [];
  for (let at = 0; at + 8 <= source.bytes && boxes.length < MAX_BOXES;) {
    const header = readHeader(await readBuffer(source, at, at + MAX_HEADER_BYTES));
    if (!header) break;
    const { type, headerBytes, bytes } = header;
    boxes.push({
      type,
      start: at,
      content: at + headerBytes,
      end: bytes === null ? source.bytes : at + bytes,
    });
    at = boxes.at(-1)?.end ?? Infinity;
  }
  return boxes;
}

export const readContent = (source: RangedSource, { content, end }: BoxPlace): Promise<Buffer> =>
  readBuffer(source, content, end);

/** The boxes of one level, up to a malformed header or `MAX_BOXES`. */
export function* boxesIn(content: Buffer): Generator<{ readonly type: string; readonly content: Buffer }> {
  for (let at = 0, count = 0; at < content.length && count < MAX_BOXES; count += 1) {
    const header = readHeader(content, at);
    if (header === null) return;
    const end = Math.min(content.length, at + (header.bytes ?? Infinity));
    yield { type: header.type, content: content.subarray(at + header.headerBytes, end) };
    at = end;
  }
}

/** Of all levels; a file has one for each track. */
export const MAX_CONTENTS = 1_024;

/** The contents of the boxes at a path of types, such as `mdia/minf/stbl`; at most `MAX_CONTENTS`. */
export function contentsAt(content: Buffer, path: string): Buffer[] {
  let found = [content];
  for (const wanted of path.split('/'))
    found = found
      .flatMap((outer) => Array.from(boxesIn(outer)).filter(({ type }) => type === wanted))
      .map((box) => box.content)
      .slice(0, MAX_CONTENTS);
  return found;
}
