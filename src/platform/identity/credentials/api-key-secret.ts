import { type KeyObject, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX } from '#libs/platform-client';
import { tagOf } from './secrets.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 22 characters of 62 are 131 bits. */
const RANDOM_LENGTH = 22;
/** 62^8 is about 2^47.6, of a tag of 48 bits. */
const TAG_LENGTH = 8;
const TAG_BYTES = 6;
/** 62^6 is more than 2^32. */
const CHECKSUM_LENGTH = 6;
const BODY_LENGTH = RANDOM_LENGTH + TAG_LENGTH;
const SHAPE = new RegExp(`^${API_KEY_PREFIX}([0-9A-Za-z]{${BODY_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/**
 * `cop_live_`, 22 random base62 characters, a tag in 8, and the CRC-32 of both in 6: the format that secret scanners know from
 * GitHub and npm. @param key of the tag, which proves the origin of the secret without a lookup.
 */
export function newApiKey(key: KeyObject): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  const body = random + keyTag(key, random);
  return API_KEY_PREFIX + body + base62(crc32(body), CHECKSUM_LENGTH);
}

/** Format and checksum are valid. Typos and fakes need no lookup. */
export function isShapedLikeApiKey(text: string): boolean {
  const [, body, sum] = SHAPE.exec(text) ?? [];
  return body !== undefined && base62(crc32(body), CHECKSUM_LENGTH) === sum;
}

/** The tag was created with this key. */
export function isApiKeyOf(key: KeyObject, text: string): boolean {
  if (!isShapedLikeApiKey(text)) return false;
  const body = text.slice(API_KEY_PREFIX.length, API_KEY_PREFIX.length + BODY_LENGTH);
  return body.slice(RANDOM_LENGTH) === keyTag(key, body.slice(0, RANDOM_LENGTH));
}

function keyTag(key: KeyObject, random: string): string {
  const tag = tagOf(key, API_KEY_PREFIX, Buffer.from(random), TAG_BYTES);
  return base62(tag.readUIntBE(0, TAG_BYTES), TAG_LENGTH);
}

/** The last digits of the number. */
function base62(number: number, length: number): string {
  let [rest, text] = [number, ''];
  for (let i = 0; i < length; i += 1) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
