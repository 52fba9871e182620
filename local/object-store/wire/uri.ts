import { S3Error } from './s3-error.js';

/** Percent-encodes everything but the unreserved characters of RFC 3986, as Signature V4 does. */
export const encodeUri = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The same, with slashes left as they are. */
export const encodePath = (path: string): string => path.split('/').map(encodeUri).join('/');

/** @throws S3Error InvalidURI for an incomplete escape or bytes that are not UTF-8 */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new S3Error('InvalidURI', undefined, error);
  }
}
