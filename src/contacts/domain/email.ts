/**
 * The spelling addresses are compared by: NFKC first, so that full-width letters and signs cannot pass for others, then
 * trimmed and in lower case. Whether it is an address is asked of the result, never of what was typed.
 */
export function emailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?`;
const LOCAL = String.raw`[^\s\p{C}@<>()[\]\\,;:".]+`;
const ADDRESS = new RegExp(`^${LOCAL}(?:\\.${LOCAL})*@(?:${LABEL}\\.)+${LABEL}$`, 'u');

/**
 * Whether a key of `emailKey` is an address mail could go to: RFC 5321 without quoted local parts and address literals,
 * with letters of any script (RFC 6531); at most 64 characters before the sign and 254 in all.
 */
export function isEmailKey(key: string): boolean {
  return key.length <= 254 && key.indexOf('@') <= 64 && ADDRESS.test(key);
}
