import { createHash } from 'node:crypto';
import type { FileOnDisk } from './chunks.js';
import { chunksOf } from './chunks.js';
import type { Utf8Evidence } from './utf8-scan.js';
import { Utf8Scan } from './utf8-scan.js';

export interface Inspection {
  readonly bytes: number;
  /** In hex, of the file as it came. */
  readonly sha256: string;
  /** The first 64 KB. */
  readonly head: Buffer;
  readonly utf8: Utf8Evidence;
}

const CHUNK = 256 * 1024;
const HEAD = 64 * 1024;

/** One look at every byte, before anything is decided. */
export async function inspectFile(file: FileOnDisk): Promise<Inspection> {
  const [hash, scan] = [createHash('sha256'), new Utf8Scan()];
  let bytes = 0;
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(file, CHUNK)) {
    if (head.length < HEAD) head = Buffer.concat([head, chunk.subarray(0, HEAD - head.length)]);
    bytes += chunk.length;
    hash.update(chunk);
    scan.push(chunk);
  }
  return { bytes, sha256: hash.digest('hex'), head, utf8: scan.end() };
}
