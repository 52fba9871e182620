import { domainToASCII } from 'node:url';
import type { FieldError } from '#libs/errors';

export type Kind = 'to' | 'cc' | 'bcc';

/** The provider requires a recipient in `to`. Where none is left, one of the others takes the place; recipients of bcc stay hidden. */
export function callLists<Recipient extends { readonly kind: Kind }>(
  recipients: readonly Recipient[],
): Record<Kind, Recipient[]> {
  const of = (kind: Kind) => recipients.filter((recipient) => recipient.kind === kind);
  const [to, cc, bcc] = [of('to'), of('cc'), of('bcc')];
  if (to.length > 0) return { to, cc, bcc };
  return cc.length > 0 ? { to: cc, cc: [], bcc } : { to: bcc.slice(0, 1), cc, bcc: bcc.slice(1) };
}

/** RFC 5321, section 4.5.3.1: octets. */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
const MAX_DOMAIN = 253;

/** Dot-atoms of RFC 5322, and letters beyond ASCII of RFC 6531. Quoted local parts are refused: few servers accept them. */
const LOCAL = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Also joiners, which make two addresses look the same. */
const NOT_IN_ADDRESS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Controls, line separators, and embeddings, overrides and isolates of direction: with them a text looks like another one. */
const NOT_IN_HEADER = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Receivers decode encoded words of RFC 2047, also within quotes and with spaces, which it rules out: the name shown is another one. */
const ENCODED_WORD = /=\?.*\?=/s;

/** In lower case and in ASCII (IDNA); null: not the name of a host on the Internet. */
export function mailDomain(text: string): string | null {
  const domain = domainToASCII(text.trim().toLowerCase());
  if (domain === '' || domain.length > MAX_DOMAIN) return null;
  const labels = domain.split('.');
  const isNumeric = /^\d+$/.test(labels.at(-1) ?? '');
  return labels.length > 1 && !isNumeric && labels.every((label) => LABEL.test(label)) ? domain : null;
}

/**
 * One mail address without a display name. The local part keeps its case, the domain is normalized.
 * @returns null: not an address that can be sent to
 */
export function mailAddress(text: string): string | null {
  if (text.length > MAX_ADDRESS) return null;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at).trim().normalize('NFC');
  const domain = mailDomain(text.slice(at + 1));
  if (at < 1 || domain === null || NOT_IN_ADDRESS.test(text)) return null;
  if (!LOCAL.test(local) || Buffer.byteLength(local) > MAX_LOCAL) return null;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) > MAX_ADDRESS ? null : address;
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** What two spellings of one mailbox have in common. Nearly every server ignores the case of local parts. */
export const mailboxOf = (address: string): string => address.toLowerCase();

/** Whether only servers with SMTPUTF8 (RFC 6531) take the address. */
export const needsUtf8 = (address: string): boolean => /[^\x20-\x7e]/.test(address);

/** One line that ends no header and looks like what it is. */
export const isHeaderText = (text: string): boolean => !NOT_IN_HEADER.test(text) && !ENCODED_WORD.test(text);

/** What is wrong with a member of a body. @param path such as `to/0/address` */
export const finding = (path: string, code: string, detail: string): FieldError => ({
  pointer: `#/${path}`,
  code,
  detail,
});

export const NOT_ONE_LINE = ['not_one_line', 'must be one line without control characters'] as const;
export const NOT_AN_ADDRESS = ['not_an_address', 'must be one mail address'] as const;
