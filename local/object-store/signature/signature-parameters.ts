import { S3Error, type S3ErrorCode } from '../wire/s3-error.js';
import type { S3Request } from '../wire/s3-request.js';
import { ALGORITHM, type Scope } from './signing.js';

/** Maximum clock skew between client and server, as at AWS. Limits the replay of captured requests. */
const MAX_SKEW_MS = 15 * 60_000;
const MAX_EXPIRES_S = 7 * 24 * 3_600;
const IN_HEADER =
  /^AWS4-HMAC-SHA256 +Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([^,\s]+)$/;

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

/** @throws S3Error when the header is malformed or the clock skew too large */
export function parametersInHeader({ headers }: S3Request, now: Date): SignatureParameters {
  const malformed = 'AuthorizationHeaderMalformed';
  const form = IN_HEADER.exec(headers.get('authorization') ?? '');
  if (!form) throw new S3Error(malformed, 'Send AWS4-HMAC-SHA256 with Credential, SignedHeaders, Signature.');
  const timestamp = headers.get('x-amz-date') ?? '';
  const sentAt = parseTimestamp(timestamp);
  if (Number.isNaN(sentAt)) throw new S3Error('AccessDenied', 'Send X-Amz-Date as YYYYMMDDTHHMMSSZ.');
  if (Math.abs(now.getTime() - sentAt) > MAX_SKEW_MS) throw new S3Error('RequestTimeTooSkewed');
  const payloadHash = headers.get('x-amz-content-sha256');
  if (!payloadHash) throw new S3Error('InvalidRequest', 'Send the header X-Amz-Content-SHA256.');
  const [, credential, signedHeaders, signature] = form;
  return {
    timestamp,
    payloadHash,
    ...readSigned({ credential, signedHeaders, signature }, timestamp, malformed),
  };
}

/** A presigned address. @throws S3Error when it is malformed, not valid yet or expired */
export function parametersInQuery({ query, headers }: S3Request, now: Date): SignatureParameters {
  const malformed = 'AuthorizationQueryParametersError';
  if (query.get('X-Amz-Algorithm') !== ALGORITHM)
    throw new S3Error(malformed, `X-Amz-Algorithm must be ${ALGORITHM}.`);
  const timestamp = query.get('X-Amz-Date') ?? '';
  const signedAt = parseTimestamp(timestamp);
  if (Number.isNaN(signedAt)) throw new S3Error(malformed, 'X-Amz-Date must be YYYYMMDDTHHMMSSZ.');
  assertValidAt(now, signedAt, query.get('X-Amz-Expires') ?? '');
  const [credential, signedHeaders, signature] = ['Credential', 'SignedHeaders', 'Signature'].map((name) =>
    query.get(`X-Amz-${name}`),
  );
  const payloadHash =
    query.get('X-Amz-Content-Sha256') ?? headers.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD';
  return {
    timestamp,
    payloadHash,
    ...readSigned({ credential, signedHeaders, signature }, timestamp, malformed),
  };
}

function assertValidAt(now: Date, signedAt: number, expires: string): void {
  const seconds = /^\d{1,6}$/.test(expires) ? Number(expires) : 0;
  if (seconds < 1 || seconds > MAX_EXPIRES_S)
    throw new S3Error(
      'AuthorizationQueryParametersError',
      `X-Amz-Expires must be 1 to ${MAX_EXPIRES_S} seconds.`,
    );
  if (signedAt - now.getTime() > MAX_SKEW_MS)
    throw new S3Error('AccessDenied', 'The request is not valid yet.');
  if (now.getTime() > signedAt + seconds * 1_000) throw new S3Error('AccessDenied', 'Request has expired.');
}

type Unread = Readonly<Record<'credential' | 'signedHeaders' | 'signature', string | undefined>>;

/** @throws S3Error unless the credential is `key/day/region/s3/aws4_request` of the day of the timestamp, and the names of headers are in lower case, sorted and each once */
function readSigned(
  { credential, signedHeaders, signature = '' }: Unread,
  timestamp: string,
  malformed: S3ErrorCode,
) {
  const [, accessKeyId = '', day = '', region = ''] =
    /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/.exec(credential ?? '') ?? [];
  if (accessKeyId === '' || day !== timestamp.slice(0, 8))
    throw new S3Error(malformed, 'Credential must be KEY/YYYYMMDD/REGION/s3/aws4_request of the same day.');
  const names = (signedHeaders ?? '').split(';');
  const isSorted = names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name);
  if (!isSorted || names.some((name) => !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)))
    throw new S3Error(
      malformed,
      'SignedHeaders must be names in lower case, sorted, with semicolons between.',
    );
  if (!/^[0-9a-f]{64}$/.test(signature))
    throw new S3Error(malformed, 'Signature must be 64 hexadecimal digits.');
  return { scope: { accessKeyId, day, region }, signedHeaders: names, signature, malformed };
}

/** @returns milliseconds since 1970, NaN when it is not YYYYMMDDTHHMMSSZ */
function parseTimestamp(timestamp: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp);
  if (!parts) return NaN;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
