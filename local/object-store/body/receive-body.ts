import { createHash } from 'node:crypto';
import { S3Error } from '../wire/s3-error.js';
import type { S3Request } from '../wire/s3-request.js';
import type { Payload } from '../signature/authenticate.js';
import { decodeAwsChunked } from './aws-chunked.js';
import {
  type Checksum,
  checksumHeaderName,
  expectedChecksum,
  type ExpectedChecksum,
  type Hasher,
  hasherFor,
  readChecksum,
} from './checksums.js';

/** What one request may carry, as at AWS: 5 GiB. */
const MAX_BYTES = 5 * 1_024 ** 3;

export interface ReceivedContent {
  readonly size: number;
  /** In hex. */
  readonly md5: string;
  readonly checksum: Checksum | null;
}

/** What the headers announce about the body. */
export interface ExpectedBody {
  readonly size: number;
  readonly contentMd5: string | undefined;
  readonly checksum: ExpectedChecksum | null;
}

/** @throws S3Error MissingContentLength, EntityTooLarge, InvalidDigest, InvalidRequest, NotImplemented */
export function expectBody(request: S3Request, payload: Payload): ExpectedBody {
  const isChunked = payload.kind === 'aws-chunked';
  const length = request.headers.get(isChunked ? 'x-amz-decoded-content-length' : 'content-length');
  if (!/^\d{1,15}$/.test(length ?? '')) throw new S3Error('MissingContentLength');
  const size = Number(length);
  if (size > MAX_BYTES) throw new S3Error('EntityTooLarge');
  const contentMd5 = request.headers.get('content-md5');
  if (contentMd5 !== undefined && !/^[A-Za-z0-9+/]{22}==$/.test(contentMd5))
    throw new S3Error('InvalidDigest');
  const checksum = expectedChecksum(request);
  const hasTrailer = isChunked && payload.hasTrailer;
  if ((checksum !== null && checksum.value === null) !== hasTrailer)
    throw new S3Error(
      'MalformedTrailerError',
      'X-Amz-Content-SHA256 and x-amz-trailer contradict each other.',
    );
  return { size, contentMd5, checksum };
}

/**
 * * Reads the body to its end and passes each piece to `keep`. When this rejects, discard all pieces.
 * @throws S3Error IncompleteBody when the client disconnected or sent another length, BadDigest, SignatureDoesNotMatch …
 */
export async function receiveBody(
  request: S3Request,
  payload: Payload,
  expected: ExpectedBody,
  keep: (piece: Buffer) => Promise<void> | void,
): Promise<ReceivedContent> {
  const md5 = createHash('md5');
  const sha256 = payload.kind === 'signed' ? createHash('sha256') : null;
  const checksum = expected.checksum && hasherFor(expected.checksum.algorithm);
  const hashers = [md5, sha256, checksum].filter((hasher) => hasher !== null);
  const trailer = new Map<string, string>();
  let size = 0;
  request.invite();
  for await (const piece of contentOf(request, payload, trailer)) {
    size += piece.length;
    if (size > expected.size) throw new S3Error('IncompleteBody');
    for (const hasher of hashers) hasher.update(piece);
    await keep(piece);
  }
  if (size !== expected.size) throw new S3Error('IncompleteBody');
  if (payload.kind === 'signed' && sha256?.digest('hex') !== payload.sha256)
    throw new S3Error('XAmzContentSHA256Mismatch');
  const digest = md5.digest();
  if (expected.contentMd5 !== undefined && digest.toString('base64') !== expected.contentMd5)
    throw new S3Error('BadDigest');
  return { size, md5: digest.toString('hex'), checksum: verified(expected.checksum, checksum, trailer) };
}

async function* contentOf(
  { message }: S3Request,
  payload: Payload,
  trailer: Map<string, string>,
): AsyncGenerator<Buffer, void> {
  // The message stays open after a refusal, because the response uses the same connection.
  const chunks = message.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  const source = readable(chunks);
  if (payload.kind !== 'aws-chunked') return yield* source;
  const onTrailer = (fields: ReadonlyMap<string, string>) =>
    fields.forEach((value, name) => trailer.set(name, value));
  yield* decodeAwsChunked(source, { ...payload, onTrailer });
}

async function* readable(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* chunks;
  } catch (error) {
    throw new S3Error('IncompleteBody', undefined, error);
  }
}

function verified(
  expected: ExpectedChecksum | null,
  hasher: Hasher | null,
  trailer: ReadonlyMap<string, string>,
): Checksum | null {
  if (!expected || !hasher) return null;
  const { algorithm } = expected;
  const value = expected.value ?? trailer.get(checksumHeaderName(algorithm));
  if (value === undefined) throw new S3Error('MalformedTrailerError');
  const checksum = readChecksum(algorithm, value);
  if (hasher.digest().toString('base64') !== checksum.value) throw new S3Error('BadDigest');
  return checksum;
}
