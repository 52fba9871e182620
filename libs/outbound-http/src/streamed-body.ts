import { Readable } from 'node:stream';

/** A body that is read while it is sent: memory stays the same for any length. */
export interface StreamedBody {
  /** Bytes. The call fails when the stream holds more or fewer. */
  readonly length: number;
  /** Opens the stream; called once, when the connection is there, and not at all when the request is not written. */
  readonly open: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

export function isStreamed(body: unknown): body is StreamedBody {
  return typeof body === 'object' && body !== null && 'open' in body;
}

/** @param onChunk called whenever the connection takes another chunk */
export function readableOf(body: StreamedBody, onChunk: () => void): Readable {
  return Readable.from(chunksOf(body, onChunk), { objectMode: false });
}

async function* chunksOf({ open }: StreamedBody, onChunk: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of await open()) {
    onChunk();
    yield chunk;
  }
  onChunk();
}
