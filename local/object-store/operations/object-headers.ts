import { S3Error } from '../wire/s3-error.js';
import { fieldOf, type S3Request } from '../wire/s3-request.js';
import type { StoredFacts } from '../store/object-store.js';

const KEPT = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires'];
const META = 'x-amz-meta-';
const MAX_METADATA_BYTES = 2_048;
/** Of a presigned address; a header cannot hold other characters. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * * The request headers that are stored and returned with the object.
 * @throws S3Error MetadataTooLarge, InvalidArgument
 */
export function objectHeaders(request: S3Request): Record<string, string> {
  const { headers, query } = request;
  const kept: Record<string, string> = {
    'content-type': headers.get('content-type') ?? 'binary/octet-stream',
  };
  for (const name of KEPT) {
    const value = headers.get(name);
    if (value !== undefined) kept[name] = value;
  }
  const encoding = withoutAwsChunked(kept['content-encoding']);
  if (encoding === '') delete kept['content-encoding'];
  else kept['content-encoding'] = encoding;
  const metadata = [...new Set([...headers.keys(), ...query.keys()])].filter((name) => name.startsWith(META));
  for (const name of metadata) kept[name] = headerValue(name, fieldOf(request, name) ?? '');
  const bytes = metadata.reduce(
    (sum, name) => sum + name.length - META.length + (kept[name] ?? '').length,
    0,
  );
  if (bytes > MAX_METADATA_BYTES) throw new S3Error('MetadataTooLarge');
  return kept;
}

const withoutAwsChunked = (encoding = ''): string =>
  encoding
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'aws-chunked')
    .join(', ');

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

export const quoted = (etag: string): string => `"${etag}"`;

/** The ETag without its quotes, or as it is where it has none. */
export const unquoted = (etag: string): string => etag.replace(/^"(.*)"$/, '$1');

function headerValue(name: string, value: string): string {
  if (!HEADER_VALUE.test(value)) throw new S3Error('InvalidArgument', `${name} cannot stand in a header.`);
  return value;
}
