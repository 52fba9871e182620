import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const CHUNK = 64 * 1024;

/**
 * The bytes of an upload on disk, measured as they come. The file has no name from the beginning: whatever ends the
 * process, nothing is left.
 */
export class Spool {
  private readonly hash = createHash('sha256');
  private readonly cut = new AbortController();
  private written: Promise<void> = Promise.resolve();
  private source?: Readable;
  private digest?: string;
  size = 0;

  private constructor(private readonly file: FileHandle) {}

  static async open(): Promise<Spool> {
    const path = join(tmpdir(), `spooled-upload-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new Spool(file);
  }

  /** Once. @throws the system's error when the disk is full, or that of `from` */
  write(from: Readable): Promise<void> {
    this.written = pipeline(from, (chunks: AsyncIterable<Buffer>) => this.keep(chunks), {
      signal: this.cut.signal,
    });
    return this.written;
  }

  /** Of all that was written, in hex. */
  get sha256(): string {
    return (this.digest ??= this.hash.digest('hex'));
  }

  /** The first bytes of what was written, `size` at most. */
  async head(size: number): Promise<Buffer> {
    const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  }

  /** What was written, from the beginning, `size` bytes at a time; as often as it is asked for. */
  async *chunks(size: number): AsyncGenerator<Buffer> {
    for (let at = 0; ;) {
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(size), 0, size, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** What was written, as a stream; once. */
  read(): Readable {
    return (this.source = Readable.from(this.chunks(CHUNK), { objectMode: false }));
  }

  /** Also while it is being written or read. */
  async close(): Promise<void> {
    this.cut.abort();
    await this.written.catch(() => undefined);
    this.source?.destroy();
    await this.file.close();
  }

  private async keep(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      this.size += chunk.length;
      this.hash.update(chunk);
      await this.file.writeFile(chunk);
    }
  }
}
