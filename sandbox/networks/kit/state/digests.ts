import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256, hexadecimal. Secrets are stored as their digest only. */
export const digest = (secret: string): string => hash('sha256', secret, 'hex');

/** Compares two secrets in constant time. */
export const isSame = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(digest(left)), Buffer.from(digest(right)));
