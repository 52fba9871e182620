import { createHmac, type KeyObject } from 'node:crypto';

/** Domain separation: no secret starts with it, and stored hashes use the same key. */
const DOMAIN = 'tag of a secret\0';

/** Proves without a lookup that this service created a secret. A random tag is valid with probability 2^-(8 · length). */
export function tagOf(key: KeyObject, prefix: string, random: Buffer, length: number): Buffer {
  return createHmac('sha256', key).update(DOMAIN).update(prefix).update(random).digest().subarray(0, length);
}
