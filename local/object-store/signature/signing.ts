import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { S3Request } from '../wire/s3-request.js';

export const ALGORITHM = 'AWS4-HMAC-SHA256';

export interface Scope {
  readonly accessKeyId: string;
  /** YYYYMMDD, UTC. */
  readonly day: string;
  readonly region: string;
}

export const scopeText = ({ day, region }: Scope): string => `${day}/${region}/s3/aws4_request`;

export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Derives the key of one day and region, see "Create a signed AWS API request". */
export const signingKey = (secretAccessKey: string, { day, region }: Scope): Buffer =>
  [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`) as Buffer;

export const signatureOf = (key: Buffer, lines: readonly string[]): string =>
  createHmac('sha256', key).update(lines.join('\n')).digest('hex');

/** In constant time. */
export const isSameSignature = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

/**
 * The request as the signature covers it. Header values are the bytes of the wire, which Node reads as Latin-1.
 * @param payloadHash as in the signature: a hash or a word such as UNSIGNED-PAYLOAD
 */
export function canonicalRequest(
  { method, path, query, headers }: S3Request,
  signedHeaders: readonly string[],
  payloadHash: string,
): string {
  const parameters = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeUri(name), encodeUri(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  const values = signedHeaders.map((name) => `${name}:${collapsed(headers.get(name) ?? '')}\n`);
  return [
    method,
    path.split('/').map(encodeUri).join('/'),
    parameters.join('&'),
    values.join(''),
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
const encodeUri = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const collapsed = (value: string): string => value.trim().replace(/ +/g, ' ');
