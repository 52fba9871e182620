import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EncodedPacket } from 'mediabunny';
import { CannotRender } from '../domain/render.types.js';
import type { Aligned } from './align.js';
import type { DescribedVideo } from './describe-index.js';
import { beforeData, chunksOf, parseIndex } from './index-boxes.js';
import { take } from './packets.js';

/** Buffers that nothing refers to any more. V8 counts them, but lets them grow to hundreds of megabytes before it frees them. */
const COLLECT_AFTER_BYTES = 8 * 1024 * 1024;

/**
 * Keeps the memory of a stream flat: frees what was read. A collection of the small heap of a child process takes about 3 ms.
 * @returns to be called with the size of each packet
 */
export function garbageCollector(): (bytes: number) => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let since = 0;
  return (bytes) => {
    since += bytes;
    if (since < COLLECT_AFTER_BYTES) return;
    since = 0;
    collect();
  };
}

/** Size 1, type, and the size in 8 bytes (ISO/IEC 14496-12, section 4.2), as in the file that the index describes. */
const DATA_HEADER_BYTES = 16;

/** `mark`: a box after the data. */
export type VideoToWrite = DescribedVideo & { readonly mark: Buffer | null };

export interface WrittenFile {
  readonly bytes: number;
  /** Of the whole file, in hex. */
  readonly sha256: string;
}

/**
 * Writes an MP4 file from its first byte to its last: type, index, the packets where the index says, and the mark. Only the index and a few packets are in
 * memory.
 * @param aligned the packets that the index describes, with their bytes. @throws CannotRender when they are others
 */
export async function writeVideo(
  path: string,
  described: VideoToWrite,
  aligned: Aligned,
): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* () {
    for await (const part of partsOf(described, aligned)) {
      hash.update(part);
      bytes += part.length;
      yield part;
    }
  };
  // One packet waits while one is written.
  await pipeline(Readable.from(counted(), { highWaterMark: 1 }), createWriteStream(path));
  return { bytes, sha256: hash.digest('hex') };
}

async function* partsOf({ type, index: written, dataBytes, mark }: VideoToWrite, aligned: Aligned) {
  const index = parseIndex(written);
  const header = Buffer.alloc(DATA_HEADER_BYTES);
  header.writeUInt32BE(1);
  header.write('mdat', 4, 'latin1');
  header.writeBigUInt64BE(BigInt(dataBytes + DATA_HEADER_BYTES), 8);
  yield Buffer.concat([type, beforeData(index), header]);
  const tracks = [aligned.pictures, aligned.sounds] as const;
  const collectGarbage = garbageCollector();
  let at = type.length + DATA_HEADER_BYTES;
  for (const { track, offset, packets } of chunksOf(index)) {
    if (offset !== at) throw new Error('The index leaves a gap in the data.');
    for (let count = 0; count < packets; count += 1) {
      const data = await nextBytes(tracks[track]);
      at += data.length;
      collectGarbage(data.length);
      yield data;
    }
  }
  if (at !== type.length + DATA_HEADER_BYTES + dataBytes) throw hasChanged();
  if (mark) yield mark;
}

async function nextBytes(packets: AsyncGenerator<EncodedPacket, void> | undefined): Promise<Uint8Array> {
  const packet = packets && (await take(packets));
  if (!packet || packet.data.length !== packet.byteLength) throw hasChanged();
  return packet.data;
}

const hasChanged = () =>
  new CannotRender('not_readable', 'Packets of the video are missing. Export it again.');
