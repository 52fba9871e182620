import type { Readable } from 'node:stream';
import { reasonOf } from './reason.js';
import type { TimeLimit } from './time-limit.js';

/** The end of the response is missing: the connection ended, a time limit passed or the caller aborted. */
export class ResponseIsCut extends Error {
  /** @param code the system's or undici's code, such as ECONNRESET or TimeoutError; never the address */
  constructor(readonly code: string) {
    super(`The response was cut: ${code}.`);
  }
}

/** The response has more bytes than the reader allows. */
export class ResponseIsTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG';

  constructor() {
    super('The response is longer than allowed.');
  }
}

/**
 * The bytes of a response as they arrive, to be read once. No more is taken from the connection than is read, apart from its buffers.
 * Ending the iteration early ends the request. Iterating throws `ResponseIsCut`.
 */
export class ResponseBody implements AsyncIterable<Uint8Array> {
  constructor(
    private readonly source: Readable,
    /** For the whole response. */
    private readonly whole: TimeLimit,
    /** For each wait for bytes; it does not run while the reader is busy. */
    private readonly idle: TimeLimit | null,
  ) {
    // An unread body that is discarded emits an error without a reader.
    source.on('error', () => undefined);
    idle?.pause();
    idle?.signal.addEventListener('abort', () => source.destroy(idle.signal.reason as Error), { once: true });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const chunks = this.source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    try {
      for (;;) {
        this.idle?.restart();
        const next = await chunks.next();
        this.idle?.pause();
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      throw new ResponseIsCut(reasonOf(error));
    } finally {
      this.discard();
    }
  }

  /** @throws ResponseIsCut, ResponseIsTooLong */
  async bytes(maxBytes: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this) {
      length += chunk.length;
      if (length > maxBytes) throw new ResponseIsTooLong();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  /** Ends the request if the response has not ended. Call it on a response that is not read. */
  discard(): void {
    this.whole.end();
    this.idle?.end();
    this.source.destroy();
  }
}
