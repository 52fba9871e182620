import { boxesIn } from '../../container/iso-boxes.js';

/** Offsets from here on need 8 bytes (`co64`). */
const TOO_LARGE_FOR_4_BYTES = 2 ** 32;
/** Of version 0: creation and modification time are 4 bytes each, of version 1 8 bytes, after version and flags (ISO/IEC 14496-12, section 8). */
const WITH_TIMES = new Set(['mvhd', 'tkhd', 'mdhd']);
/** Boxes that the result must not have: edit lists, user data, metadata. */
const LEFT_OUT = new Set(['edts', 'udta', 'meta']);

export interface Box {
  readonly type: string;
  /** Without the header; empty for a container. */
  readonly content: Buffer;
  /** null: not a container. */
  readonly children: readonly Box[] | null;
}

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts']);
/** moov / trak / mdia / minf / stbl, and one more. */
const MAX_DEPTH = 6;

/** The boxes of a content; what follows a malformed one is left out. */
export const parseBoxes = (content: Buffer, depth = 0): Box[] =>
  Array.from(boxesIn(content), ({ type, content: inner }) =>
    CONTAINERS.has(type) && depth < MAX_DEPTH
      ? { type, content: Buffer.alloc(0), children: parseBoxes(inner, depth + 1) }
      : { type, content: inner, children: null },
  );

export function serialize(box: Box): Buffer {
  const content = box.children === null ? box.content : Buffer.concat(box.children.map(serialize));
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8, 0);
  header.write(box.type, 4, 'latin1');
  return Buffer.concat([header, content]);
}

/** The first box of a path of types, such as `mdia/minf/stbl`. */
export function find(boxes: readonly Box[], path: string): Box | undefined {
  let [found, among]: [Box | undefined, readonly Box[]] = [undefined, boxes];
  for (const type of path.split('/')) {
    found = among.find((box) => box.type === type);
    among = found?.children ?? [];
  }
  return found;
}

/** Consecutive packets of one track in the file. */
export interface Chunk {
  /** Number of the track in the index, from 0. */
  readonly track: number;
  readonly offset: number;
  readonly packets: number;
}

/** @param index a whole `moov` box. @returns it without times of creation, edit lists and metadata */
export const parseIndex = (index: Buffer): Box => cleaned(parseBoxes(index)[0] as Box);

function cleaned(box: Box): Box {
  if (box.children) {
    const kept = box.children.filter(({ type }) => !LEFT_OUT.has(type));
    return { ...box, children: kept.map(cleaned) };
  }
  return WITH_TIMES.has(box.type) ? withoutTimes(box) : box;
}

function withoutTimes(box: Box): Box {
  const content = Buffer.from(box.content);
  content.fill(0, 4, content[0] === 1 ? 20 : 12);
  return { ...box, content };
}

export function chunksOf(index: Box): Chunk[] {
  const tracks = (index.children ?? []).filter(({ type }) => type === 'trak');
  return tracks.flatMap(chunksOfTrack).toSorted((a, b) => a.offset - b.offset);
}

/** From `stsc` (ISO/IEC 14496-12, section 8.7.4): entries of a first chunk, from 1, and packets per chunk, until the next entry. */
function chunksOfTrack(box: Box, track: number): Chunk[] {
  const table = find(box.children ?? [], 'mdia/minf/stbl')?.children ?? [];
  const offsets = table.filter(isOffsets).flatMap(readOffsets);
  const runs = find(table, 'stsc')?.content ?? Buffer.alloc(8);
  const entries = Array.from({ length: runs.readUInt32BE(4) }, (_, entry) => ({
    first: runs.readUInt32BE(8 + entry * 12) - 1,
    packets: runs.readUInt32BE(12 + entry * 12),
  }));
  return entries.flatMap(({ first, packets }, entry) =>
    offsets.slice(first, entries[entry + 1]?.first).map((offset) => ({ track, offset, packets })),
  );
}

/** The index before the data, which moves by the size of the index; that grows when offsets need 8 bytes. */
export function beforeData(index: Box): Buffer {
  let bytes = serialize(index);
  for (let size = -1; size !== bytes.length;) {
    size = bytes.length;
    bytes = serialize(withOffsets(index, size));
  }
  return bytes;
}

function withOffsets(box: Box, shift: number): Box {
  if (box.children) return { ...box, children: box.children.map((child) => withOffsets(child, shift)) };
  if (!isOffsets(box)) return box;
  const offsets = readOffsets(box).map((offset) => offset + shift);
  const isLarge = box.type === 'co64' || offsets.some((offset) => offset >= TOO_LARGE_FOR_4_BYTES);
  return isLarge ? largeOffsets(offsets) : smallOffsets(offsets);
}

const isOffsets = ({ type }: Box): boolean => type === 'stco' || type === 'co64';

function readOffsets({ type, content }: Box): number[] {
  return Array.from({ length: content.readUInt32BE(4) }, (_, index) =>
    type === 'co64' ? Number(content.readBigUInt64BE(8 + index * 8)) : content.readUInt32BE(8 + index * 4),
  );
}

function smallOffsets(offsets: readonly number[]): Box {
  const content = Buffer.alloc(8 + offsets.length * 4);
  content.writeUInt32BE(offsets.length, 4);
  for (const [index, offset] of offsets.entries()) content.writeUInt32BE(offset, 8 + index * 4);
  return { type: 'stco', content, children: null };
}

function largeOffsets(offsets: readonly number[]): Box {
  const content = Buffer.alloc(8 + offsets.length * 8);
  content.writeUInt32BE(offsets.length, 4);
  for (const [index, offset] of offsets.entries()) content.writeBigUInt64BE(BigInt(offset), 8 + index * 8);
  return { type: 'co64', content, children: null };
}
