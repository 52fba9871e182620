import { S3Error } from '../wire/s3-error.js';
import type { S3Request } from '../wire/s3-request.js';
import {
  MAX_SKEW_MS,
  mustBeSignature,
  parseTimestamp,
  readScope,
  readSignedHeaders,
  type SignatureParameters,
} from './signature-parameters.js';
import { ALGORITHM } from './signing.js';

const MALFORMED = 'AuthorizationQueryParametersError';
const MAX_EXPIRES_S = 7 * 24 * 3_600;

/** A presigned address. @throws S3Error when it is malformed, not valid yet or expired */
export function claimInQuery({ query, headers }: S3Request, now: Date): SignatureParameters {
  if (query.get('X-Amz-Algorithm') !== ALGORITHM)
    throw new S3Error(MALFORMED, `X-Amz-Algorithm must be ${ALGORITHM}.`);
  const timestamp = query.get('X-Amz-Date') ?? '';
  const signedAt = parseTimestamp(timestamp);
  if (Number.isNaN(signedAt)) throw new S3Error(MALFORMED, 'X-Amz-Date must be YYYYMMDDTHHMMSSZ.');
  assertValidAt(now, signedAt, query.get('X-Amz-Expires') ?? '');
  return {
    scope: readScope(query.get('X-Amz-Credential'), timestamp, MALFORMED),
    timestamp,
    signedHeaders: readSignedHeaders(query.get('X-Amz-SignedHeaders'), MALFORMED),
    payloadHash:
      query.get('X-Amz-Content-Sha256') ?? headers.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD',
    signature: mustBeSignature(query.get('X-Amz-Signature'), MALFORMED),
    malformed: MALFORMED,
  };
}

function assertValidAt(now: Date, signedAt: number, expires: string): void {
  const seconds = /^\d{1,6}$/.test(expires) ? Number(expires) : 0;
  if (seconds < 1 || seconds > MAX_EXPIRES_S)
    throw new S3Error(MALFORMED, `X-Amz-Expires must be 1 to ${MAX_EXPIRES_S} seconds.`);
  if (signedAt - now.getTime() > MAX_SKEW_MS)
    throw new S3Error('AccessDenied', 'The request is not valid yet.');
  if (now.getTime() > signedAt + seconds * 1_000) throw new S3Error('AccessDenied', 'Request has expired.');
}
