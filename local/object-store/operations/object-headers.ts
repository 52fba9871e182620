import { type Checksum, checksumHeaderName } from '../body/checksums.js';
import type { StoredFacts } from '../store/object-store.js';
import { S3Error } from '../wire/s3-error.js';
import { fieldOf, type S3Request } from '../wire/s3-request.js';
import { element } from '../wire/xml.js';

const KEPT = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires'];
const META = 'x-amz-meta-';
const MAX_METADATA_BYTES = 2_048;
/** Of a presigned address; a header cannot hold other characters. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The request headers that are stored and returned with the object. */
export function objectHeaders(request: S3Request): Record<string, string> {
  const { headers, query } = request;
  const kept: Record<string, string> = {
    'content-type': headers.get('content-type') ?? 'binary/octet-stream',
  };
  for (const name of KEPT) {
    const value = headers.get(name);
    if (value !== undefined) kept[name] = value;
  }
  const metadata = [...new Set([...headers.keys(), ...query.keys()])].filter((name) => name.startsWith(META));
  for (const name of metadata) kept[name] = headerValue(name, fieldOf(request, name) ?? '');
  const bytes = metadata.reduce(
    (sum, name) => sum + name.length - META.length + (kept[name] ?? '').length,
    0,
  );
  if (bytes > MAX_METADATA_BYTES) throw new S3Error('MetadataTooLarge');
  return kept;
}

/** The response headers of a GET or HEAD that do not depend on the range. */
export function describingHeaders(request: S3Request, { facts }: StoredFacts): Record<string, string> {
  const headers: Record<string, string> = {
    ...facts.headers,
    ETag: quoted(facts.etag),
    'Last-Modified': new Date(facts.modifiedAt).toUTCString(),
    'Accept-Ranges': 'bytes',
  };
  for (const [name, value] of request.query)
    if (name.startsWith('response-')) headers[name.slice('response-'.length)] = headerValue(name, value);
  return headers;
}

/** How answers name the checksum of a part. */
export const checksumHeaders = (checksum: Checksum | null): Record<string, string> =>
  checksum ? { [checksumHeaderName(checksum.algorithm)]: checksum.value } : {};

/** How answers name the checksum of an object; only a composite one holds a hyphen. */
export const objectChecksumHeaders = (checksum: Checksum | null): Record<string, string> =>
  checksum
    ? {
        ...checksumHeaders(checksum),
        'x-amz-checksum-type': checksum.value.includes('-') ? 'COMPOSITE' : 'FULL_OBJECT',
      }
    : {};

/** The same as an element, such as ChecksumCRC32. */
export const checksumElements = (checksum: Checksum | null): string[] =>
  checksum ? [element(checksumElementName(checksum.algorithm), checksum.value)] : [];

export const checksumElementName = (algorithm: string): string => `Checksum${algorithm.toUpperCase()}`;

export const quoted = (etag: string): string => `"${etag}"`;

/** The ETag without its quotes, or as it is where it has none. */
export const unquoted = (etag: string): string => etag.replace(/^"(.*)"$/, '$1');

function headerValue(name: string, value: string): string {
  if (!HEADER_VALUE.test(value)) throw new S3Error('InvalidArgument', `${name} cannot stand in a header.`);
  return value;
}
