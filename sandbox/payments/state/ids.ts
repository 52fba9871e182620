import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Such as `prod_Q2x…`. */
export function newId(prefix: string, length = 24): string {
  const characters = Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]);
  return `${prefix}_${characters.join('')}`;
}
