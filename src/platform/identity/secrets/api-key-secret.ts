import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const API_KEY_PREFIX = 'cop_live_';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 30 characters of 62 are 178 bits. */
const RANDOM_LENGTH = 30;
/** 62^6 is more than 2^32. */
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(
  `^${API_KEY_PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** `cop_live_`, 30 random base62 characters, and their CRC-32 in 6: the shape secret scanners know from GitHub and npm. */
export function newApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  return API_KEY_PREFIX + random + checksum(random);
}

/** Whether the checksum fits: typos and fakes are refused without a look-up. */
export function isShapedLikeApiKey(text: string): boolean {
  const [, random, sum] = SHAPE.exec(text) ?? [];
  return random !== undefined && checksum(random) === sum;
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
