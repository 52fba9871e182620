import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from '../wire/s3-error.js';
import { fieldOf, type S3Request } from '../wire/s3-request.js';
import { crc32c, crc64nvme } from './crc.js';

export interface Checksum {
  readonly algorithm: string;
  /** Base64, of a multipart object with `-` and the number of parts behind it. */
  readonly value: string;
}

/** COMPOSITE: the checksum is one of the checksums of the parts. */
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT';

/** Takes the content in pieces. */
export interface Hasher {
  update(chunk: Buffer): void;
  digest(): Buffer;
}

const hash = (algorithm: string) => (): Hasher => createHash(algorithm);

function crc(next: (chunk: Buffer, value: number) => number) {
  return (): Hasher => {
    let value = 0;
    return {
      update: (chunk) => (value = next(chunk, value)),
      digest: () => words(value),
    };
  };
}

function crc64(): Hasher {
  let value: [number, number] = [0, 0];
  return { update: (chunk) => (value = crc64nvme(chunk, value)), digest: () => words(...value) };
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => buffer.writeUInt32BE(value, 4 * at));
  return buffer;
}

/** By the name in `x-amz-checksum-…`: those that the SDK for JavaScript computes. */
const ALGORITHMS: Readonly<Record<string, (() => Hasher) | undefined>> = {
  crc32: crc(crc32),
  crc32c: crc(crc32c),
  crc64nvme: crc64,
  sha1: hash('sha1'),
  sha256: hash('sha256'),
};

const PREFIX = 'x-amz-checksum-';
const NOT_VALUES = new Set(['mode', 'type', 'algorithm']);

/** @throws S3Error NotImplemented */
export function hasherFor(algorithm: string): Hasher {
  const create = ALGORITHMS[algorithm];
  if (!create) throw new S3Error('NotImplemented', `The checksum algorithm ${algorithm} is not implemented.`);
  return create();
}

/** The field that carries a checksum of the algorithm. */
export const checksumHeaderName = (algorithm: string): string => `${PREFIX}${algorithm}`;

/** The algorithm of a field name, undefined for any other field. */
export const checksumAlgorithmOf = (name: string): string | undefined =>
  name.startsWith(PREFIX) && !NOT_VALUES.has(name.slice(PREFIX.length))
    ? name.slice(PREFIX.length)
    : undefined;

/** @throws S3Error InvalidRequest when the value is no base64 of the length of the digest */
export function readChecksum(algorithm: string, value: string): Checksum {
  const { length } = hasherFor(algorithm).digest();
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length !== length || bytes.toString('base64') !== value)
    throw new S3Error('InvalidRequest', `The value of ${checksumHeaderName(algorithm)} is not valid.`);
  return { algorithm, value };
}

/** The checksum that the client announces. */
export interface ExpectedChecksum {
  readonly algorithm: string;
  /** Null when it comes in the trailer. */
  readonly value: string | null;
}

/**
 * The one checksum of the content, in a field or announced for the trailer; null when there is none.
 * @throws S3Error InvalidRequest for several, or for another one than `x-amz-sdk-checksum-algorithm` says
 */
export function expectedChecksum(request: S3Request): ExpectedChecksum | null {
  const names = new Set([...request.headers.keys(), ...request.query.keys()]);
  const found: ExpectedChecksum[] = [...names].flatMap((name) => {
    const algorithm = checksumAlgorithmOf(name);
    const value = algorithm === undefined ? undefined : fieldOf(request, name);
    return algorithm === undefined || value === undefined ? [] : [readChecksum(algorithm, value)];
  });
  const trailer = request.headers.get('x-amz-trailer')?.trim().toLowerCase();
  if (trailer !== undefined) found.push({ algorithm: trailerAlgorithm(trailer), value: null });
  if (found.length > 1) throw new S3Error('InvalidRequest', 'Send one checksum.');
  const said = fieldOf(request, 'x-amz-sdk-checksum-algorithm')?.toLowerCase();
  const algorithm = found[0]?.algorithm ?? (request.headers.has('content-md5') ? 'md5' : undefined);
  if (said !== undefined && said !== algorithm)
    throw new S3Error('InvalidRequest', `x-amz-sdk-checksum-algorithm is ${said}; send that checksum.`);
  return found[0] ?? null;
}

function trailerAlgorithm(name: string): string {
  const algorithm = checksumAlgorithmOf(name);
  if (algorithm === undefined)
    throw new S3Error('InvalidRequest', 'x-amz-trailer must name one x-amz-checksum header.');
  hasherFor(algorithm);
  return algorithm;
}
