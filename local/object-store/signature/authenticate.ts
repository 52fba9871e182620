import type { S3Request } from '../wire/s3-request.js';
import { S3Error } from '../wire/s3-error.js';
import { parametersInHeader, parametersInQuery, type SignatureParameters } from './signature-parameters.js';
import {
  ALGORITHM,
  canonicalRequest,
  isSameSignature,
  scopeText,
  sha256Hex,
  signatureOf,
  signingKey,
} from './signing.js';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/**
 * Signature V4, in the Authorization header or in the query.
 * @returns the SHA-256 of the body as it was signed, in hex; null when the body is not signed
 * @throws S3Error when the signature is missing, wrong, expired or not valid yet
 */
export function authenticate(request: S3Request, credentials: Credentials, now: Date): string | null {
  const parameters = parametersOf(request, now);
  if (parameters.scope.accessKeyId !== credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId');
  if (parameters.scope.region !== credentials.region)
    throw new S3Error(parameters.malformed, `The region of the signature must be ${credentials.region}.`);
  assertHeadersSigned(request, parameters);
  const key = signingKey(credentials.secretAccessKey, parameters.scope);
  const canonical = canonicalRequest(request, parameters.signedHeaders, parameters.payloadHash);
  const lines = [ALGORITHM, parameters.timestamp, scopeText(parameters.scope), sha256Hex(canonical)];
  if (!isSameSignature(parameters.signature, signatureOf(key, lines)))
    throw new S3Error('SignatureDoesNotMatch');
  return payloadOf(parameters);
}

function parametersOf(request: S3Request, now: Date): SignatureParameters {
  const inHeader = request.headers.has('authorization');
  const inQuery = [...request.query.keys()].some((name) =>
    /^x-amz-(signature|credential|algorithm)$/i.test(name),
  );
  if (inHeader && inQuery)
    throw new S3Error('InvalidArgument', 'Sign in the Authorization header or in the query, not in both.');
  if (!inHeader && !inQuery) throw new S3Error('AccessDenied', 'The request is not signed.');
  if (request.headers.has('x-amz-security-token') || request.query.has('X-Amz-Security-Token'))
    throw new S3Error('InvalidToken');
  return inHeader ? parametersInHeader(request, now) : parametersInQuery(request, now);
}

/** The host and every S3 header must be signed, so that no proxy can change them. */
function assertHeadersSigned({ headers }: S3Request, { signedHeaders }: SignatureParameters): void {
  const covered = new Set(signedHeaders);
  const missing = ['host', ...[...headers.keys()].filter((name) => name.startsWith('x-amz-'))].filter(
    (name) => !covered.has(name),
  );
  if (missing.length > 0)
    throw new S3Error('AccessDenied', `There are headers that are not signed: ${missing.join(', ')}.`);
  const absent = signedHeaders.filter((name) => !headers.has(name));
  if (absent.length > 0)
    throw new S3Error('SignatureDoesNotMatch', `Signed headers are not sent: ${absent.join(', ')}.`);
}

function payloadOf({ payloadHash }: SignatureParameters): string | null {
  if (payloadHash === 'UNSIGNED-PAYLOAD') return null;
  if (/^[0-9a-f]{64}$/.test(payloadHash)) return payloadHash;
  if (payloadHash.startsWith('STREAMING-'))
    throw new S3Error('NotImplemented', 'Bodies in aws-chunked encoding are not implemented.');
  throw new S3Error('InvalidArgument', 'X-Amz-Content-SHA256 is no SHA-256 in hex and no known word.');
}
