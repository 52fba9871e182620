import { S3Error } from '../s3-error.js';

export interface Range {
  readonly start: number;
  /** The last byte, included. */
  readonly end: number;
}

/**
 * * One range of bytes. Malformed and multiple ranges are ignored, as in RFC 9110 and S3.
 * @returns null for the whole object @throws S3Error InvalidRange when no byte of it exists
 */
export function readRange(header: string | undefined, size: number): Range | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') return lastBytes(Number(last), size);
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) throw new S3Error('InvalidRange');
  return { start, end };
}

function lastBytes(count: number, size: number): Range {
  if (count === 0 || size === 0) throw new S3Error('InvalidRange');
  return { start: Math.max(0, size - count), end: size - 1 };
}
