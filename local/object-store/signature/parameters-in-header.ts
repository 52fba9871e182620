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

const MALFORMED = 'AuthorizationHeaderMalformed';
const FORM = /^AWS4-HMAC-SHA256 +Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([^,\s]+)$/;

/** @throws S3Error when the header is malformed or the clock skew too large */
export function claimInHeader({ headers }: S3Request, now: Date): SignatureParameters {
  const form = FORM.exec(headers.get('authorization') ?? '');
  if (!form) throw new S3Error(MALFORMED, 'Send AWS4-HMAC-SHA256 with Credential, SignedHeaders, Signature.');
  const timestamp = headers.get('x-amz-date') ?? '';
  const sentAt = parseTimestamp(timestamp);
  if (Number.isNaN(sentAt)) throw new S3Error('AccessDenied', 'Send X-Amz-Date as YYYYMMDDTHHMMSSZ.');
  if (Math.abs(now.getTime() - sentAt) > MAX_SKEW_MS) throw new S3Error('RequestTimeTooSkewed');
  const payloadHash = headers.get('x-amz-content-sha256');
  if (!payloadHash) throw new S3Error('InvalidRequest', 'Send the header X-Amz-Content-SHA256.');
  return {
    scope: readScope(form[1], timestamp, MALFORMED),
    timestamp,
    signedHeaders: readSignedHeaders(form[2], MALFORMED),
    payloadHash,
    signature: mustBeSignature(form[3], MALFORMED),
    malformed: MALFORMED,
  };
}
