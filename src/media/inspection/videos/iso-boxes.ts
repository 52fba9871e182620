import type { Source } from '../../isolation/source.js';

/** Where a box is. Its content begins at `content`. */
export interface BoxPlace {
  readonly type: string;
  readonly start: number;
  readonly content: number;
  /** As its header says: it can be after the end of the file. */
  readonly end: number;
}

/** Of one level. Fragmented files have a box or two for each second; the index is before them. */
const MAX_BOXES = 64;
const LARGEST_HEADER = 16;

/** The boxes of a level, up to a malformed header, the end of the range or `MAX_BOXES`. */
export async function readBoxes(
  source: Source,
  range: { readonly start: number; readonly end: number },
): Promise<BoxPlace[]> {
  const boxes: BoxPlace[] = [];
  const end = Math.min(range.end, source.bytes);
  for (let at = range.start; at + 8 <= end && boxes.length < MAX_BOXES;) {
    const header = view(await source.read(at, Math.min(at + LARGEST_HEADER, end)));
    const box = placeOf(header, at, range.end);
    if (!box) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** The boxes of one type directly inside another. */
export async function boxesIn(source: Source, parent: BoxPlace, type: string): Promise<BoxPlace[]> {
  const inside = await readBoxes(source, { start: parent.content, end: parent.end });
  return inside.filter((box) => box.type === type);
}

/** A size of 1 means that 8 bytes of size follow, 0 that the box ends with its parent. */
function placeOf(header: DataView, start: number, parentEnd: number): BoxPlace | null {
  const size = header.getUint32(0);
  const type = String.fromCharCode(...[4, 5, 6, 7].map((at) => header.getUint8(at)));
  if (size === 0) return { type, start, content: start + 8, end: parentEnd };
  if (size >= 8) return { type, start, content: start + 8, end: start + size };
  if (size !== 1 || header.byteLength < LARGEST_HEADER) return null;
  const large = Number(header.getBigUint64(8));
  return large >= LARGEST_HEADER
    ? { type, start, content: start + LARGEST_HEADER, end: start + large }
    : null;
}

export const view = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
