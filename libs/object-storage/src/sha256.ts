import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** As S3 writes checksums. */
export const toBase64 = (sha256: string): string => Buffer.from(sha256, 'hex').toString('base64');

/** @returns null for a missing or composite checksum */
export function toHex(base64: string | undefined): string | null {
  return base64 && /^[A-Za-z0-9+/]{43}=$/.test(base64) ? Buffer.from(base64, 'base64').toString('hex') : null;
}

/** In hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
