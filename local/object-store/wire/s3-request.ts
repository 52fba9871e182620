import type { IncomingMessage } from 'node:http';
import { S3Error } from './s3-error.js';

const MAX_KEY_BYTES = 1_024;
/** XML 1.0 cannot carry them, so no list could name such a key. */
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** A request with its parsed address, before authentication. */
export interface S3Request {
  readonly message: IncomingMessage;
  /** Sends `100 Continue` if the client waits for it; call it before reading the body. */
  readonly invite: () => void;
  readonly method: string;
  /** Decoded, from the first slash to the question mark. */
  readonly path: string;
  readonly bucket: string;
  /** Decoded; empty when the request is about the bucket. */
  readonly key: string;
  /** Decoded, each name once. */
  readonly query: ReadonlyMap<string, string>;
  /** Names in lower case; several headers of one name are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
}

export function readRequest(message: IncomingMessage, invite: () => void): S3Request {
  const address = message.url ?? '';
  const mark = address.indexOf('?');
  const path = decodeUri(mark < 0 ? address : address.slice(0, mark));
  const query = readQuery(mark < 0 ? '' : address.slice(mark + 1));
  const [, bucket, key = ''] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  if (bucket === undefined) throw new S3Error('InvalidURI');
  assertKey(key);
  const headers = new Map(
    Object.entries(message.headersDistinct).map(([name, values = []]) => [name, values.join(',')]),
  );
  return { message, invite, method: message.method ?? '', path, bucket, key, query, headers };
}

function assertKey(key: string): void {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError');
  if (NOT_IN_XML.test(key)) throw new S3Error('InvalidURI', 'A key holds no control characters.');
}

function readQuery(text: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split('&').filter((each) => each !== '')) {
    const equals = pair.indexOf('=');
    const name = decodeUri(equals < 0 ? pair : pair.slice(0, equals));
    if (query.has(name)) throw new S3Error('InvalidArgument', `The parameter ${name} is sent twice.`);
    query.set(name, equals < 0 ? '' : decodeUri(pair.slice(equals + 1)));
  }
  return query;
}

/** @throws S3Error InvalidURI for an incomplete escape or bytes that are not UTF-8 */
function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new S3Error('InvalidURI', undefined, error);
  }
}

/** A header, or in a presigned request the query parameter with its name. */
export const fieldOf = ({ headers, query }: S3Request, name: string): string | undefined =>
  headers.get(name) ?? (query.has('X-Amz-Signature') ? query.get(name) : undefined);
