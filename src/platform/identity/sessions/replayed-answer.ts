import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What a refresh gave; the times are in the tables. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals the answer to a refresh under a key that only the presented refresh token gives: the tables hold a hash of it under
 * another key, so that a copy of them opens nothing.
 */
export function sealAnswer(presented: string, pair: TokenPair): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(presented), nonce);
  const sealed = [cipher.update(JSON.stringify([pair.accessToken, pair.refreshToken])), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]);
}

/** @throws Error when it was sealed under another token. */
export function openAnswer(presented: string, sealed: Buffer): TokenPair {
  const decipher = createDecipheriv(CIPHER, keyOf(presented), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const opened = [decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
  const [accessToken, refreshToken] = JSON.parse(Buffer.concat(opened).toString()) as [string, string];
  return { accessToken, refreshToken };
}

function keyOf(presented: string): Buffer {
  return Buffer.from(hkdfSync('sha256', presented, '', 'answer to a refresh', 32));
}
