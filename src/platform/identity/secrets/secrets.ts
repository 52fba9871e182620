import type { KeyObject } from 'node:crypto';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { tagOf } from './tag.js';

/** What a secret is for, told by its start, so that a leaked one can be found by searching. */
export type SecretPrefix = 'copa_' | 'copr_' | 'cops_';
export const ACCESS_TOKEN: SecretPrefix = 'copa_';
export const REFRESH_TOKEN: SecretPrefix = 'copr_';
export const SERVICE_TOKEN: SecretPrefix = 'cops_';

const RANDOM_BYTES = 26;
const TAG_BYTES = 6;
const PREFIX_LENGTH = ACCESS_TOKEN.length;

/**
 * 208 random bits and a tag of 48 bits behind the prefix: 48 characters, safe in headers and addresses.
 * @param key of the tag: what was not made under it is told apart without a look-up.
 */
export function newSecret(prefix: SecretPrefix, key: KeyObject): string {
  const random = randomBytes(RANDOM_BYTES);
  return prefix + Buffer.concat([random, tagOf(key, prefix, random, TAG_BYTES)]).toString('base64url');
}

const SHAPE = /^cop[ars]_[A-Za-z0-9_-]{43}$/;

/** What is not shaped like a secret of ours needs no look-up. */
export function isShapedLikeSecret(text: string): boolean {
  return SHAPE.test(text);
}

/** Whether the secret was made under this key. Those made before there were tags were made under none. */
export function isSecretOf(key: KeyObject, text: string): boolean {
  if (!isShapedLikeSecret(text)) return false;
  const bytes = Buffer.from(text.slice(PREFIX_LENGTH), 'base64url');
  const [random, tag] = [bytes.subarray(0, RANDOM_BYTES), bytes.subarray(RANDOM_BYTES)];
  return timingSafeEqual(tag, tagOf(key, text.slice(0, PREFIX_LENGTH), random, TAG_BYTES));
}
