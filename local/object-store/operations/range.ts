import { type ByteRange, readByteRange } from '#libs/object-storage';
import { S3Error } from '../wire/s3-error.js';

/** @returns null for the whole object @throws S3Error InvalidRange when no byte of the range exists */
export function readRange(header: string | undefined, size: number): ByteRange | null {
  const range = readByteRange(header, size);
  if (range === 'unsatisfiable') throw new S3Error('InvalidRange');
  return range;
}
