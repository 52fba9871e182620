import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Domain separation: no secret starts with it, and stored hashes use the same key. */
const DOMAIN = 'tag of a secret\0';

/** Proves without a lookup that this service created a secret. A random tag is valid with probability 2^-(8 · length). */
export function tagOf(key: KeyObject, prefix: string, random: Buffer, length: number): Buffer {
  return createHmac('sha256', key).update(DOMAIN).update(prefix).update(random).digest().subarray(0, length);
}

/** The prefix identifies the kind of secret, so that scanners find leaked ones. */
export type SecretPrefix = 'copa_' | 'copr_' | 'cops_';
export const ACCESS_TOKEN: SecretPrefix = 'copa_';
export const REFRESH_TOKEN: SecretPrefix = 'copr_';
export const SERVICE_TOKEN: SecretPrefix = 'cops_';

const RANDOM_BYTES = 26;
const TAG_BYTES = 6;
const PREFIX_LENGTH = ACCESS_TOKEN.length;

/**
 * 208 random bits and a tag of 48 bits behind the prefix: 48 characters, safe in headers and addresses.
 * @param key of the tag, which proves the origin of the secret without a lookup.
 */
export function newSecret(prefix: SecretPrefix, key: KeyObject): string {
  const random = randomBytes(RANDOM_BYTES);
  return prefix + Buffer.concat([random, tagOf(key, prefix, random, TAG_BYTES)]).toString('base64url');
}

const SHAPE = /^cop[ars]_[A-Za-z0-9_-]{43}$/;

/** Text of another format needs no lookup. */
export function isShapedLikeSecret(text: string): boolean {
  return SHAPE.test(text);
}

/** The tag was created with this key. */
export function isSecretOf(key: KeyObject, text: string): boolean {
  if (!isShapedLikeSecret(text)) return false;
  const bytes = Buffer.from(text.slice(PREFIX_LENGTH), 'base64url');
  const [random, tag] = [bytes.subarray(0, RANDOM_BYTES), bytes.subarray(RANDOM_BYTES)];
  return timingSafeEqual(tag, tagOf(key, text.slice(0, PREFIX_LENGTH), random, TAG_BYTES));
}
