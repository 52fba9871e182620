import { randomBytes } from 'node:crypto';

/** What a secret is for, told by its start, so that a leaked one can be found by searching. */
export type SecretPrefix = 'copa_' | 'copr_' | 'cops_';
export const ACCESS_TOKEN: SecretPrefix = 'copa_';
export const REFRESH_TOKEN: SecretPrefix = 'copr_';
export const SERVICE_TOKEN: SecretPrefix = 'cops_';

/** 256 random bits behind the prefix: 48 characters, safe in headers and addresses. */
export function newSecret(prefix: SecretPrefix): string {
  return prefix + randomBytes(32).toString('base64url');
}

const SHAPE = /^cop[ars]_[A-Za-z0-9_-]{43}$/;

/** What is not shaped like a secret of ours needs no look-up. */
export function isShapedLikeSecret(text: string): boolean {
  return SHAPE.test(text);
}
