import { createHash, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HEAD_BYTES } from '../file-type.js';

/**
 * Bytes on disk between a client and the object store, which wants to know their number first. The file has no name
 * from the beginning: whatever ends the process, nothing is left.
 */
export class Spool {
  private readonly hash = createHash('sha256');
  private readonly cut = new AbortController();
  private readonly heads: Buffer[] = [];
  private written: Promise<void> = Promise.resolve();
  private digest?: string;
  size = 0;

  private constructor(
    private readonly target: Writable,
    private readonly source: Readable,
  ) {}

  static async open(): Promise<Spool> {
    const path = join(tmpdir(), `attachment-${randomUUID()}`);
    const target = (await open(path, 'wx', 0o600)).createWriteStream();
    const source = (await open(path, 'r')).createReadStream();
    await unlink(path);
    return new Spool(target, source);
  }

  /** @throws the system's error when the disk is full, or that of `from` */
  write(from: Readable): Promise<void> {
    const { signal } = this.cut;
    this.written = pipeline(from, (chunks) => this.measured(chunks), this.target, { signal });
    return this.written;
  }

  /** Of all that was written, in hex. */
  get sha256(): string {
    return (this.digest ??= this.hash.digest('hex'));
  }

  /** At most `HEAD_BYTES`. */
  get head(): Buffer {
    return Buffer.concat(this.heads).subarray(0, HEAD_BYTES);
  }

  /** What was written; once. */
  read(): Readable {
    return this.source;
  }

  /** Also while it is being written or read. */
  async close(): Promise<void> {
    this.cut.abort();
    await this.written.catch(() => undefined);
    this.target.destroy();
    this.source.destroy();
  }

  private async *measured(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of chunks) {
      if (this.size < HEAD_BYTES) this.heads.push(chunk);
      this.size += chunk.length;
      this.hash.update(chunk);
      yield chunk;
    }
  }
}
