import { createHash } from 'node:crypto';
import { S3Error } from '../wire/s3-error.js';
import type { ChunkSigner } from '../signature/chunk-signer.js';
import { ByteReader } from './byte-reader.js';

/** As at AWS. */
const MIN_CHUNK = 8_192;
const MAX_TRAILER_LINES = 8;
const TRAILER_SIGNATURE = 'x-amz-trailer-signature';

export interface AwsChunkedRules {
  /** Null when chunks are not signed. */
  readonly signer: ChunkSigner | null;
  readonly hasTrailer: boolean;
  /** Receives the trailer, which comes after the last byte. */
  readonly onTrailer: (fields: ReadonlyMap<string, string>) => void;
}

/**
 * The content of an `aws-chunked` body: chunks of `size[;chunk-signature=…]`, CRLF, bytes, CRLF, and one of size 0,
 * behind which the trailer stands. Yielded bytes are unverified until this ends without an error.
 * @throws S3Error IncompleteBody, InvalidChunkSizeError, SignatureDoesNotMatch, MalformedTrailerError
 */
export async function* decodeAwsChunked(
  chunks: AsyncIterator<Buffer>,
  { signer, hasTrailer, onTrailer }: AwsChunkedRules,
): AsyncGenerator<Buffer, void> {
  const reader = new ByteReader(chunks);
  for (let last = MIN_CHUNK, size = -1; size !== 0; last = size) {
    const header = readHeader(await reader.line());
    size = header.size;
    if (size > 0 && last < MIN_CHUNK) throw new S3Error('InvalidChunkSizeError');
    const hash = createHash('sha256');
    for await (const piece of reader.bytes(size)) {
      hash.update(piece);
      yield piece;
    }
    if (size > 0 && (await reader.line()) !== '') throw new S3Error('IncompleteBody');
    signer?.chunk(header.signature, hash.digest('hex'));
  }
  onTrailer(readTrailer(await trailerLines(reader), hasTrailer, signer));
  await reader.end();
}

function readHeader(line: string): { size: number; signature?: string } {
  const [, size, signature] = /^([0-9a-fA-F]{1,9})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line) ?? [];
  if (size === undefined) throw new S3Error('IncompleteBody', 'A chunk has no readable size.');
  return { size: Number.parseInt(size, 16), signature };
}

async function trailerLines(reader: ByteReader): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await reader.line(); line !== ''; line = await reader.line()) {
    lines.push(line);
    if (lines.length > MAX_TRAILER_LINES) throw new S3Error('MalformedTrailerError');
  }
  return lines;
}

function readTrailer(
  lines: readonly string[],
  hasTrailer: boolean,
  signer: ChunkSigner | null,
): Map<string, string> {
  const fields = new Map(lines.map(readField));
  const signature = fields.get(TRAILER_SIGNATURE);
  fields.delete(TRAILER_SIGNATURE);
  if (!hasTrailer && lines.length > 0) throw new S3Error('MalformedTrailerError');
  if (hasTrailer && signer)
    signer.trailer(
      signature,
      [...fields].map((field) => field.join(':')),
    );
  return fields;
}

function readField(line: string): [string, string] {
  const [, name, value] = /^([a-zA-Z0-9-]+):(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new S3Error('MalformedTrailerError');
  return [name.toLowerCase(), value.trim()];
}
