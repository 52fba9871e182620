import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const CHUNK = 64 * 1024;

/** The bytes of an upload on disk. The file is unlinked at once, so that nothing is left after a crash. */
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

  /** Callable once. @throws the system's error when the disk is full, or the error of `from` */
  write(from: Readable): Promise<void> {
    this.written = pipeline(from, (chunks: AsyncIterable<Buffer>) => this.append(chunks), {
      signal: this.cut.signal,
    });
    return this.written;
  }

  /** Of all written bytes, in hex. */
  get sha256(): string {
    return (this.digest ??= this.hash.digest('hex'));
  }

  async head(size: number): Promise<Buffer> {
    const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  }

  /** The bytes from the beginning in chunks of `size`. Repeatable. */
  async *chunks(size: number): AsyncGenerator<Buffer> {
    for (let at = 0; ;) {
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(size), 0, size, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** The bytes as a stream. Callable once. */
  read(): Readable {
    return (this.source = Readable.from(this.chunks(CHUNK), { objectMode: false }));
  }

  /** Safe while writing or reading. */
  async close(): Promise<void> {
    this.cut.abort();
    await this.written.catch(() => undefined);
    this.source?.destroy();
    await this.file.close();
  }

  private async append(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      this.size += chunk.length;
      this.hash.update(chunk);
      await this.file.writeFile(chunk);
    }
  }
}
