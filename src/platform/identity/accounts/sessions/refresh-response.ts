import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The tokens of a refresh response; their expiry times are in the tables. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a refresh response with a key derived from the presented refresh token. The tables contain only an HMAC of that
 * token, so that a copy of them decrypts nothing.
 */
export function encryptResponse(presented: string, pair: TokenPair): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(presented), nonce);
  const encrypted = [cipher.update(JSON.stringify([pair.accessToken, pair.refreshToken])), cipher.final()];
  return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]);
}

/** @throws Error when the response was encrypted for another token. */
export function decryptResponse(presented: string, encrypted: Buffer): TokenPair {
  const decipher = createDecipheriv(CIPHER, keyOf(presented), encrypted.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  const decrypted = [decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
  const [accessToken, refreshToken] = JSON.parse(Buffer.concat(decrypted).toString()) as [string, string];
  return { accessToken, refreshToken };
}

function keyOf(presented: string): Buffer {
  return Buffer.from(hkdfSync('sha256', presented, '', 'answer to a refresh', 32));
}
