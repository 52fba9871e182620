import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Source, SourceAddress } from './source.js';

/** Reads a file of this machine. It was made by this installation: reads have no budget. */
export class FileSource implements Source {
  readonly bytes: number;
  /** There is no store that could fail. */
  readonly storeFailure = undefined;
  private readonly url: URL;

  constructor({ url, bytes }: SourceAddress) {
    this.url = new URL(url);
    this.bytes = bytes;
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const file = await open(this.url);
    try {
      const length = Math.max(0, Math.min(end, this.bytes) - start);
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  stream(start: number, end: number): AsyncIterable<Uint8Array> {
    // The last byte is included.
    return createReadStream(this.url, { start, end: Math.min(end, this.bytes) - 1 });
  }

  close(): void {}
}
