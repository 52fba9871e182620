import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ResponseIsTooLong } from '../response-body.js';

/** Content codings of RFC 9110 that are decoded. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['identity', () => new PassThrough()],
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/** The response has a content coding that was not asked for, or several. */
class CodingIsUnknown extends Error {
  readonly code = 'UNKNOWN_CODING';

  constructor() {
    super('The content coding of the response is not supported.');
  }
}

/**
 * Reads a body to its end and decodes it.
 * @param coding the header Content-Encoding
 * @param maxBytes for the bytes that arrive and for those after decompression
 * @throws ResponseIsTooLong, an error of zlib, or the reason of the signal
 */
export async function boundedBytes(
  body: Readable,
  coding: string | undefined,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const decoder = DECODERS.get(coding?.trim().toLowerCase() || 'identity');
  if (!decoder) throw new CodingIsUnknown();
  return pipeline(
    body,
    (chunks: AsyncIterable<Uint8Array>) => limited(chunks, maxBytes),
    decoder(),
    (chunks: AsyncIterable<Uint8Array>) => collected(limited(chunks, maxBytes)),
    { signal },
  );
}

async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw new ResponseIsTooLong();
    yield chunk;
  }
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
