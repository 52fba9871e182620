import { S3Error } from '../wire/s3-error.js';

const MAX_LINE = 4_096;

/** Reads lines and counted bytes from a stream of chunks. */
export class ByteReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly chunks: AsyncIterator<Buffer>) {}

  /** Up to CRLF, which is not part of it. @throws S3Error IncompleteBody when there is none */
  async line(): Promise<string> {
    let end = this.rest.indexOf('\r\n');
    while (end < 0) {
      if (this.rest.length > MAX_LINE || !(await this.more())) throw new S3Error('IncompleteBody');
      end = this.rest.indexOf('\r\n');
    }
    const line = this.rest.toString('latin1', 0, end);
    this.rest = this.rest.subarray(end + 2);
    return line;
  }

  /** The next `count` bytes in pieces as they come. @throws S3Error IncompleteBody when there are fewer */
  async *bytes(count: number): AsyncGenerator<Buffer, void> {
    for (let left = count; left > 0;) {
      if (this.rest.length === 0 && !(await this.more())) throw new S3Error('IncompleteBody');
      const piece = this.rest.subarray(0, left);
      this.rest = this.rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** @throws S3Error IncompleteBody when anything follows */
  async end(): Promise<void> {
    if (this.rest.length > 0 || (await this.more())) throw new S3Error('IncompleteBody');
  }

  private async more(): Promise<boolean> {
    for (;;) {
      const next = await this.chunks.next();
      if (next.done) return false;
      if (next.value.length === 0) continue;
      this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
      return true;
    }
  }
}
