import { MAX_HEADER_BYTES, readHeader } from '../../container/box-header.js';
import type { Source } from '../../isolation/source.js';

/** Where a box is. Its content begins at `content`. */
export interface BoxPlace {
  readonly type: string;
  readonly start: number;
  readonly content: number;
  /** As its header says: it can be after the end of the file. */
  readonly end: number;
}

/** Of one level that are read. Fragmented files have a box or two for each second; the index is before them. */
export const MAX_BOXES = 64;

/** The boxes of a level, up to a malformed header, the end of the range or `MAX_BOXES`. */
export async function readBoxes(
  source: Source,
  range: { readonly start: number; readonly end: number },
): Promise<BoxPlace[]> {
  const boxes: BoxPlace[] = [];
  const end = Math.min(range.end, source.bytes);
  for (let at = range.start; at + 8 <= end && boxes.length < MAX_BOXES;) {
    const header = readHeader(Buffer.from(await source.read(at, Math.min(at + MAX_HEADER_BYTES, end))));
    if (!header) break;
    const { type, headerBytes, bytes } = header;
    const box = { type, start: at, content: at + headerBytes, end: bytes === null ? range.end : at + bytes };
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** The boxes at the end of a path of types inside another. */
export async function boxesAt(
  source: Source,
  parent: BoxPlace,
  [type = '', ...rest]: readonly string[],
): Promise<BoxPlace[]> {
  const inside = await boxesIn(source, parent, type);
  if (rest.length === 0) return inside;
  const found: BoxPlace[] = [];
  for (const box of inside) found.push(...(await boxesAt(source, box, rest)));
  return found;
}

/** The boxes of one type directly inside another. */
export async function boxesIn(source: Source, parent: BoxPlace, type: string): Promise<BoxPlace[]> {
  const inside = await readBoxes(source, { start: parent.content, end: parent.end });
  return inside.filter((box) => box.type === type);
}
