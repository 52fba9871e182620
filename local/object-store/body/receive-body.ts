import { createHash } from 'node:crypto';
import { S3Error } from '../wire/s3-error.js';
import type { S3Request } from '../wire/s3-request.js';
import { parseXml, type XmlElement } from '../wire/xml.js';
import { type Checksum, checksumAlgorithmOf, expectedChecksum, hasherFor } from './checksums.js';

/** What one request may carry, as at AWS: 5 GiB. */
const MAX_BYTES = 5 * 1_024 ** 3;

/** A list of 10 000 parts with checksums has about 3 MB. */
const MAX_XML_BYTES = 4 * 1_024 ** 2;

export interface ReceivedContent {
  /** In hex. */
  readonly md5: string;
  readonly checksum: Checksum | null;
}

export interface ExpectedBody {
  readonly size: number;
  /** As it was signed, in hex; null when the body is not signed. */
  readonly sha256: string | null;
  readonly contentMd5: string | undefined;
  readonly checksum: Checksum | null;
}

/** @param sha256 of the body as it was signed, in hex; null when the body is not signed */
export function expectBody(request: S3Request, sha256: string | null): ExpectedBody {
  const length = request.headers.get('content-length');
  if (!/^\d{1,15}$/.test(length ?? '')) throw new S3Error('MissingContentLength');
  const size = Number(length);
  if (size > MAX_BYTES) throw new S3Error('EntityTooLarge');
  const contentMd5 = request.headers.get('content-md5');
  if (contentMd5 !== undefined && !/^[A-Za-z0-9+/]{22}==$/.test(contentMd5))
    throw new S3Error('InvalidDigest');
  return { size, sha256, contentMd5, checksum: expectedChecksum(request) };
}

/**
 * Reads the body to its end and passes each piece to `keep`. When this rejects, discard all pieces.
 * @throws S3Error IncompleteBody when the client disconnected or sent another length, BadDigest, XAmzContentSHA256Mismatch
 */
export async function receiveBody(
  request: S3Request,
  expected: ExpectedBody,
  keep: (piece: Buffer) => Promise<void> | void,
): Promise<ReceivedContent> {
  const md5 = createHash('md5');
  const sha256 = expected.sha256 === null ? null : createHash('sha256');
  const checksum = expected.checksum && hasherFor(expected.checksum.algorithm);
  const hashers = [md5, sha256, checksum].filter((hasher) => hasher !== null);
  let size = 0;
  request.invite();
  for await (const piece of contentOf(request)) {
    size += piece.length;
    if (size > expected.size) throw new S3Error('IncompleteBody');
    for (const hasher of hashers) hasher.update(piece);
    await keep(piece);
  }
  if (size !== expected.size) throw new S3Error('IncompleteBody');
  if (sha256 && sha256.digest('hex') !== expected.sha256) throw new S3Error('XAmzContentSHA256Mismatch');
  const digest = md5.digest();
  const isOther = expected.contentMd5 !== undefined && digest.toString('base64') !== expected.contentMd5;
  if (isOther || checksum?.digest().toString('base64') !== expected.checksum?.value)
    throw new S3Error('BadDigest');
  return { md5: digest.toString('hex'), checksum: expected.checksum };
}

async function* contentOf({ message }: S3Request): AsyncGenerator<Buffer, void> {
  try {
    // The message stays open after a refusal, because the response uses the same connection.
    yield* message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new S3Error('IncompleteBody', undefined, error);
  }
}

export async function receiveXml(request: S3Request, sha256: string | null): Promise<XmlElement> {
  const expected = { ...expectBody(withoutChecksums(request), sha256), checksum: null };
  if (expected.size > MAX_XML_BYTES) throw new S3Error('MaxMessageLengthExceeded');
  const pieces: Buffer[] = [];
  await receiveBody(request, expected, (piece) => void pieces.push(piece));
  return parseXml(Buffer.concat(pieces).toString('utf8'));
}

/** The checksums of a completed upload are those of the object, not of the document. */
function withoutChecksums(request: S3Request): S3Request {
  const headers = new Map([...request.headers].filter(([name]) => checksumAlgorithmOf(name) === undefined));
  return { ...request, headers };
}
