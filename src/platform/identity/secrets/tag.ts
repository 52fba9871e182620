import type { KeyObject } from 'node:crypto';
import { createHmac } from 'node:crypto';

/** A message that no secret is: the hash that is stored of a secret is made under the same key. */
const DOMAIN = 'tag of a secret\0';

/** Shows that a secret was made here, before any look-up: a random one has the right tag once in 2^(8 · length). */
export function tagOf(key: KeyObject, prefix: string, random: Buffer, length: number): Buffer {
  return createHmac('sha256', key).update(DOMAIN).update(prefix).update(random).digest().subarray(0, length);
}
