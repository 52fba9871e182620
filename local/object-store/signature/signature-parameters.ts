import { S3Error, type S3ErrorCode } from '../wire/s3-error.js';
import type { Scope } from './signing.js';

/** Maximum clock skew between client and server, as at AWS. Limits the replay of captured requests. */
export const MAX_SKEW_MS = 15 * 60_000;

/** The signature parameters of a request: well-formed and in time, but not verified. */
export interface SignatureParameters {
  readonly scope: Scope;
  /** YYYYMMDDTHHMMSSZ. */
  readonly timestamp: string;
  /** In lower case, sorted. */
  readonly signedHeaders: readonly string[];
  readonly payloadHash: string;
  readonly signature: string;
  /** The error code for malformed signatures of this form. */
  readonly malformed: S3ErrorCode;
}

/** @throws S3Error when it is not `key/day/region/s3/aws4_request` of the day of the timestamp */
export function readScope(credential: string | undefined, timestamp: string, malformed: S3ErrorCode): Scope {
  const [, accessKeyId = '', day = '', region = ''] =
    /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/.exec(credential ?? '') ?? [];
  if (accessKeyId === '' || day !== timestamp.slice(0, 8))
    throw new S3Error(malformed, 'Credential must be KEY/YYYYMMDD/REGION/s3/aws4_request of the same day.');
  return { accessKeyId, day, region };
}

/** @throws S3Error when names are not in lower case, sorted and each once */
export function readSignedHeaders(list: string | undefined, malformed: S3ErrorCode): string[] {
  const names = (list ?? '').split(';');
  const isSorted = names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name);
  if (!isSorted || names.some((name) => !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)))
    throw new S3Error(
      malformed,
      'SignedHeaders must be names in lower case, sorted, with semicolons between.',
    );
  return names;
}

/** @returns milliseconds since 1970, NaN when it is not YYYYMMDDTHHMMSSZ */
export function parseTimestamp(timestamp: string | undefined): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp ?? '');
  if (!parts) return NaN;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

export function mustBeSignature(signature: string | undefined, malformed: S3ErrorCode): string {
  if (!/^[0-9a-f]{64}$/.test(signature ?? ''))
    throw new S3Error(malformed, 'Signature must be 64 hexadecimal digits.');
  return signature ?? '';
}
