import type { S3Request } from '../wire/s3-request.js';
import { S3Error } from '../wire/s3-error.js';
import { chunkSigner, type ChunkSigner } from './chunk-signer.js';
import { claimInHeader } from './parameters-in-header.js';
import { claimInQuery } from './parameters-in-query.js';
import type { SignatureParameters } from './signature-parameters.js';
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

/** The encoding and signature of an authenticated request's body. */
export type Payload =
  | { readonly kind: 'signed'; readonly sha256: string }
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'aws-chunked'; readonly hasTrailer: boolean; readonly signer: ChunkSigner | null };

const STREAMING_UNSIGNED_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const STREAMING_SIGNED = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
const STREAMING_SIGNED_TRAILER = `${STREAMING_SIGNED}-TRAILER`;

/**
 * Signature V4, in the Authorization header or in the query.
 * * @throws S3Error when the signature is missing, wrong, expired or not valid yet
 */
export function authenticate(request: S3Request, credentials: Credentials, now: Date): Payload {
  const claim = claimOf(request, now);
  if (claim.scope.accessKeyId !== credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId');
  if (claim.scope.region !== credentials.region)
    throw new S3Error(claim.malformed, `The region of the signature must be ${credentials.region}.`);
  assertHeadersSigned(request, claim);
  const key = signingKey(credentials.secretAccessKey, claim.scope);
  const canonical = canonicalRequest(request, claim.signedHeaders, claim.payloadHash);
  const lines = [ALGORITHM, claim.timestamp, scopeText(claim.scope), sha256Hex(canonical)];
  if (!isSameSignature(claim.signature, signatureOf(key, lines))) throw new S3Error('SignatureDoesNotMatch');
  return payloadOf(claim, key);
}

function claimOf(request: S3Request, now: Date): SignatureParameters {
  const inHeader = request.headers.has('authorization');
  const inQuery = [...request.query.keys()].some((name) =>
    /^x-amz-(signature|credential|algorithm)$/i.test(name),
  );
  if (inHeader && inQuery)
    throw new S3Error('InvalidArgument', 'Sign in the Authorization header or in the query, not in both.');
  if (!inHeader && !inQuery) throw new S3Error('AccessDenied', 'The request is not signed.');
  if (request.headers.has('x-amz-security-token') || request.query.has('X-Amz-Security-Token'))
    throw new S3Error('InvalidToken');
  return inHeader ? claimInHeader(request, now) : claimInQuery(request, now);
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

function payloadOf(claim: SignatureParameters, key: Buffer): Payload {
  const { payloadHash } = claim;
  if (payloadHash === 'UNSIGNED-PAYLOAD') return { kind: 'unsigned' };
  if (/^[0-9a-f]{64}$/.test(payloadHash)) return { kind: 'signed', sha256: payloadHash };
  const hasTrailer = payloadHash.endsWith('-TRAILER');
  if (payloadHash === STREAMING_UNSIGNED_TRAILER) return { kind: 'aws-chunked', hasTrailer, signer: null };
  if (payloadHash === STREAMING_SIGNED || payloadHash === STREAMING_SIGNED_TRAILER)
    return { kind: 'aws-chunked', hasTrailer, signer: chunkSigner(claim, key) };
  throw new S3Error('InvalidArgument', 'X-Amz-Content-SHA256 is no SHA-256 in hex and no known word.');
}
