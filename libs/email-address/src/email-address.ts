import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The spelling in which addresses are compared: NFKC first, so that full-width characters cannot bypass the check, then
 * trimmed, in lower case, and with the domain in Unicode. Validity is checked on the result, never on the input.
 */
export function emailKey(email: string): string {
  const key = email.normalize('NFKC').trim().toLowerCase();
  const at = key.lastIndexOf('@') + 1;
  return at === 0 || at === key.length ? key : key.slice(0, at) + unicodeDomain(key.slice(at));
}

const MAX_DOMAIN = 253;
/** With a name in other letters than those of ASCII, in either form. */
const INTERNATIONAL = /^(?=.*[^\u0020-\u007e]|(?:.*\.)?xn--)[\p{L}\p{N}\p{M}.-]+$/u;

/** `müller.de` also of `xn--mller-kva.de`: both name one host (RFC 5890). Other texts are unchanged. */
export function unicodeDomain(domain: string): string {
  if (domain.length > MAX_DOMAIN || !INTERNATIONAL.test(domain)) return domain;
  const ascii = domainToASCII(domain);
  const unicode = ascii === '' ? '' : domainToUnicode(ascii);
  return unicode === '' || unicode !== unicode.normalize('NFKC').toLowerCase() ? domain : unicode;
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
