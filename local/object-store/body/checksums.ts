import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from '../wire/s3-error.js';
import { fieldOf, type S3Request } from '../wire/s3-request.js';

export interface Checksum {
  readonly algorithm: string;
  /** Base64, of a multipart object with `-` and the number of parts behind it. */
  readonly value: string;
}

/** Takes the content in pieces. */
export interface Hasher {
  update(chunk: Buffer): void;
  digest(): Buffer;
}

function crc32Hasher(): Hasher {
  let value = 0;
  return {
    update: (chunk) => (value = crc32(chunk, value)),
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}

/** By the name in `x-amz-checksum-…`: SHA-256 of the product's client, CRC32 of the SDK by default. */
const ALGORITHMS: Readonly<Record<string, (() => Hasher) | undefined>> = {
  crc32: crc32Hasher,
  sha1: () => createHash('sha1'),
  sha256: () => createHash('sha256'),
};

const PREFIX = 'x-amz-checksum-';
const NOT_VALUES = new Set(['mode', 'type', 'algorithm']);

export function hasherFor(algorithm: string): Hasher {
  const create = ALGORITHMS[algorithm];
  if (!create) throw new S3Error('NotImplemented', `The checksum algorithm ${algorithm} is not implemented.`);
  return create();
}

export const checksumHeaderName = (algorithm: string): string => `${PREFIX}${algorithm}`;

/** The algorithm of a field name, undefined for any other field. */
export const checksumAlgorithmOf = (name: string): string | undefined =>
  name.startsWith(PREFIX) && !NOT_VALUES.has(name.slice(PREFIX.length))
    ? name.slice(PREFIX.length)
    : undefined;

/**
 * The one checksum of the content; null when there is none.
 * @throws S3Error InvalidRequest for several, or for another one than `x-amz-sdk-checksum-algorithm` says
 */
export function expectedChecksum(request: S3Request): Checksum | null {
  const names = new Set([...request.headers.keys(), ...request.query.keys()]);
  const [found = null, ...others] = [...names].flatMap((name) => {
    const algorithm = checksumAlgorithmOf(name);
    const value = algorithm === undefined ? undefined : fieldOf(request, name);
    return algorithm === undefined || value === undefined ? [] : [readChecksum(algorithm, value)];
  });
  if (others.length > 0) throw new S3Error('InvalidRequest', 'Send one checksum.');
  const said = fieldOf(request, 'x-amz-sdk-checksum-algorithm')?.toLowerCase();
  const algorithm = found?.algorithm ?? (request.headers.has('content-md5') ? 'md5' : undefined);
  if (said !== undefined && said !== algorithm)
    throw new S3Error('InvalidRequest', `x-amz-sdk-checksum-algorithm is ${said}; send that checksum.`);
  return found;
}

/** @throws S3Error InvalidRequest when the value is no base64 of the length of the digest */
function readChecksum(algorithm: string, value: string): Checksum {
  const { length } = hasherFor(algorithm).digest();
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length !== length || bytes.toString('base64') !== value)
    throw new S3Error('InvalidRequest', `The value of ${checksumHeaderName(algorithm)} is not valid.`);
  return { algorithm, value };
}
