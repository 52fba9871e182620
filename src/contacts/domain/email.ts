/**
 * The spelling in which addresses are compared: NFKC first, so that full-width characters cannot bypass the check, then
 * trimmed and lower case. Validity is checked on the result, never on the input.
 */
export function emailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?`;
const LOCAL = String.raw`[^\s\p{C}@<>()[\]\\,;:".]+`;
const ADDRESS = new RegExp(`^${LOCAL}(?:\\.${LOCAL})*@(?:${LABEL}\\.)+${LABEL}$`, 'u');

/**
 * Whether a key of `emailKey` is a deliverable address: RFC 5321 without quoted local parts and address literals, with
 * letters of any script (RFC 6531); at most 64 characters before the `@` and 254 in all.
 */
export function isEmailKey(key: string): boolean {
  return key.length <= 254 && key.indexOf('@') <= 64 && ADDRESS.test(key);
}
