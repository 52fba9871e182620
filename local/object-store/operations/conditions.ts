import { S3Error } from '../wire/s3-error.js';
import type { S3Request } from '../wire/s3-request.js';
import type { ObjectFacts } from '../store/object-file.js';
import type { Guard } from '../store/object-store.js';
import { unquoted } from './object-headers.js';

/**
 * `If-None-Match: *` and `If-Match` of a change, checked again immediately before the change.
 * @throws S3Error NotImplemented for other values of If-None-Match, as at AWS
 */
export function writeGuard({ headers }: S3Request): Guard {
  const ifMatch = headers.get('if-match');
  const ifNoneMatch = headers.get('if-none-match')?.trim();
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*')
    throw new S3Error('NotImplemented', 'Of If-None-Match only * is implemented for a change.');
  if (ifMatch === undefined && ifNoneMatch === undefined) return null;
  return (current) => {
    if (ifNoneMatch !== undefined && current) throw new S3Error('PreconditionFailed');
    if (ifMatch === undefined) return;
    if (!current) throw new S3Error('NoSuchKey');
    if (!isListed(current.etag, ifMatch)) throw new S3Error('PreconditionFailed');
  };
}

/**
 * The conditions of a read, in the order of RFC 9110 section 13.2.2.
 * @returns true when the client has this version already: 304
 */
export function isNotModified({ headers }: S3Request, { etag, modifiedAt }: ObjectFacts): boolean {
  const ifMatch = headers.get('if-match');
  const ifNoneMatch = headers.get('if-none-match');
  // Dates in headers have whole seconds.
  const modified = Math.floor(Date.parse(modifiedAt) / 1_000) * 1_000;
  const isWithin = (name: string): boolean | undefined => {
    const limit = Date.parse(headers.get(name) ?? '');
    return Number.isNaN(limit) ? undefined : modified <= limit;
  };
  const fails = ifMatch === undefined ? isWithin('if-unmodified-since') === false : !isListed(etag, ifMatch);
  if (fails) throw new S3Error('PreconditionFailed');
  return ifNoneMatch === undefined ? isWithin('if-modified-since') === true : isListed(etag, ifNoneMatch);
}

const isListed = (etag: string, list: string): boolean =>
  list.split(',').some((each) => {
    const tag = unquoted(each.trim().replace(/^W\//, ''));
    return tag === '*' || tag === etag;
  });
