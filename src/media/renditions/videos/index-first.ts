import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Box } from './boxes.js';
import { MAX_HEADER_BYTES, parseBoxes, readHeader, serialize } from './boxes.js';

/** Read and written at once. */
const COPY_BYTES = 1024 * 1024;
/** Offsets from here on need 8 bytes (`co64`). */
const TOO_LARGE_FOR_4_BYTES = 2 ** 32;
/** Of version 0: creation and modification time are 4 bytes each, of version 1 8 bytes, after version and flags (ISO/IEC 14496-12, section 8). */
const WITH_TIMES = new Set(['mvhd', 'tkhd', 'mdhd']);
/** Boxes that the result must not have: edit lists, user data, metadata. */
const LEFT_OUT = new Set(['edts', 'udta', 'meta']);

export interface WrittenFile {
  readonly bytes: number;
  /** Of the whole file, in hex. */
  readonly sha256: string;
}

/**
 * Writes an MP4 file again with its index (`moov`) before its data, without times of creation, edit lists and metadata. Streams: only the
 * index is in memory.
 * @param from a file whose index is its last box
 */
export async function moveIndexFirst(from: string, to: string): Promise<WrittenFile> {
  const { ftypEnd, indexStart, index } = await readIndexAtEnd(from);
  const moov = serialize(shiftedIndex(cleaned(index)));
  const hash = createHash('sha256');
  let bytes = 0;
  const parts = async function* () {
    const stream = { highWaterMark: COPY_BYTES };
    yield* createReadStream(from, { ...stream, end: ftypEnd - 1 });
    yield moov;
    yield* createReadStream(from, { ...stream, start: ftypEnd, end: indexStart - 1 });
  };
  const counted = async function* () {
    for await (const part of parts() as AsyncIterable<Buffer>) {
      hash.update(part);
      bytes += part.length;
      yield part;
    }
  };
  await pipeline(Readable.from(counted()), createWriteStream(to));
  return { bytes, sha256: hash.digest('hex') };
}

async function readIndexAtEnd(path: string) {
  await using file = await open(path);
  const { size } = await file.stat();
  const ranges = new Map<string, { start: number; end: number }>();
  for (let at = 0; at < size;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, at);
    const header = readHeader(buffer.subarray(0, bytesRead));
    if (header === null) break;
    const end = at + (header.bytes ?? size - at);
    ranges.set(header.type, { start: at, end });
    at = end;
  }
  const [ftyp, moov] = [ranges.get('ftyp'), ranges.get('moov')];
  if (ftyp?.start !== 0 || moov?.end !== size) throw new Error('The written file has no index at its end.');
  const { buffer } = await file.read(Buffer.alloc(size - moov.start), 0, size - moov.start, moov.start);
  return { ftypEnd: ftyp.end, indexStart: moov.start, index: parseBoxes(buffer)[0] as Box };
}

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

/** The data moves back by the size of the index, which grows when offsets need 8 bytes. */
function shiftedIndex(index: Box): Box {
  let shifted = index;
  for (let size = -1; size !== serialize(shifted).length;) {
    size = serialize(shifted).length;
    shifted = withOffsets(index, size);
  }
  return shifted;
}

function withOffsets(box: Box, shift: number): Box {
  if (box.children) return { ...box, children: box.children.map((child) => withOffsets(child, shift)) };
  if (box.type !== 'stco' && box.type !== 'co64') return box;
  const offsets = readOffsets(box).map((offset) => offset + shift);
  const isLarge = box.type === 'co64' || offsets.some((offset) => offset >= TOO_LARGE_FOR_4_BYTES);
  return isLarge ? largeOffsets(offsets) : smallOffsets(offsets);
}

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
