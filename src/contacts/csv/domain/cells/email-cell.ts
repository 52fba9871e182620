import { CONTACT_FIELDS } from '../../../domain/contact-fields.js';
import { emailKey, isEmailKey } from '#libs/email-address';
import { isPlaceholder } from './raw-cell.js';

/** Words for a missing address, which are names in other columns. */
const NO_ADDRESS = /^(?:na|none|null|nil|keine?|brak|zadny)$/iu;
/** Invisible characters, common in copied text; addresses have none. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/gu;

export interface EmailCell {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
  /** Addresses of other systems, such as the directory of a mail server: there is nothing to correct. */
  readonly foreign: readonly string[];
}

/** Mail systems export an address with its type: `SMTP:` in capitals is the primary one. */
const TYPES = '(?:mailto|smtp|rfc822|ex|x400|x500|notes|gwise|groupwise|ms|msmail|ccmail|profs|mhs)';
const MAIL_TYPE = new RegExp(`^${TYPES}:\\s*`, 'iu');
const MAIL_TYPES = new RegExp(`(^|[ /|])${TYPES}:\\s*`, 'giu');
/** Distinguished names (`/O=Acme/OU=Prague/CN=Jana`, also of Notes), X.400, and addresses with another type than the internet's. */
const FOREIGN = new RegExp(
  `^(?:/?(?:c|cn|o|ou|dc|a|p|s|g)=|(?!mailto|smtp)(?:${TYPES}|sip|sips|tel|fax|eum):)`,
  'iu',
);

/** Words and separators between two addresses. `/` and `|` can also be part of a local part (RFC 5322, atext). */
const [WORD_BETWEEN, SIGN_BETWEEN] = [/ (?:und|and) /iu, /( ?[/|] ?)/u];
/** Maximum separators in one local part, to bound the work per piece. */
const MAX_SEPARATORS = 3;

/**
 * One address or several, separated as in mail programs or by `/`, `|`, `und` and `and`, with or without names: `Jana
 * <jana@example.com>; max@example.com`.
 */
export function emailsOfCell(cell: string): EmailCell {
  const pieces = cell
    .replace(INVISIBLE, '')
    .replace(/^\[?"|"\]?$/g, '')
    .replace(/[^\S\r\n]+/g, ' ')
    .split(/:::|[;,\r\n]|" ?, ?"/)
    .filter(hasText)
    .flatMap((piece) => (isForeign(piece.trim()) ? [piece] : addressesIn(piece)))
    .map(withoutType)
    .filter(hasText);
  const others = pieces.filter((piece) => !isForeign(piece));
  const invalid = others.filter((piece) => !isAddress(piece));
  return { valid: others.filter(isAddress), invalid, foreign: pieces.filter(isForeign) };
}

/** `o=` can also begin an address, and a type can precede one of the internet. */
const isForeign = (piece: string) => FOREIGN.test(piece) && !isAddress(withoutType(piece));

/** The type and a final full stop are not part of an address. */
function withoutType(piece: string): string {
  const given = piece.trim();
  const text = given.replace(MAIL_TYPE, '');
  if (text.endsWith('.') && isAddress(text.slice(0, -1))) return text.slice(0, -1);
  return FOREIGN.test(given) && !isAddress(text) ? given : text;
}

const hasText = (piece: string) =>
  piece.trim() !== '' && !isPlaceholder(piece) && !NO_ADDRESS.test(piece.trim());

/** `Jana <a@example.com> und Max <b@example.com>` has two; the names are ignored. */
function addressesIn(piece: string): string[] {
  return piece.split(/(?<=>)/).flatMap((part, at) => {
    const named = /<([^<>]*)>/.exec(part)?.[1];
    if (named !== undefined) return [named];
    const text = at === 0 ? part : part.replace(/^ ?(?:[/|]|(?:und|and) )/iu, '');
    return split(text.replaceAll(MAIL_TYPES, '$1'));
  });
}

/** Splits at words only when each side has an address: `max and moritz@example.com` is a misspelled address. */
function split(text: string): string[] {
  const sides = text.split(WORD_BETWEEN).map(splitAtSeparators);
  return sides.every((side) => side.some(isAddress)) ? sides.flat() : splitAtSeparators(text);
}

function splitAtSeparators(text: string): string[] {
  const parts = text.split(SIGN_BETWEEN);
  const found: string[] = [];
  for (let at = 0; at < parts.length;) {
    const end = endOfAddress(parts, at);
    found.push(...withoutRemark(parts.slice(at, end).join('').trim()));
    at = end + 1;
  }
  return found;
}

/** The end of the address that starts at a part: separators belong to it when it is invalid without them. */
function endOfAddress(parts: readonly string[], start: number): number {
  for (let end = start + 1; end <= Math.min(parts.length, start + 1 + 2 * MAX_SEPARATORS); end += 2) {
    if (isAddress(parts.slice(start, end).join(''))) return end;
  }
  return start + 1;
}

/** Permitted text after an address. With any other text the address is uncertain. */
const REMARK = /^(?:und|and|&|\+|\(.*\))$/iu;

function withoutRemark(text: string): string[] {
  const words = text.split(' ');
  const end = words.findIndex((word) => !isAddress(word));
  if (end < 0) return words;
  const rest = words.slice(end).join(' ');
  return end > 0 && REMARK.test(rest) ? [...words.slice(0, end), rest] : [text];
}

/** `@`, and the characters that NFKC replaces with it. */
const AT = /[@＠﹫]/u;
/** In UTF-16 units before NFKC, which joins up to three of them to one. */
const LONGEST = 4 * CONTACT_FIELDS.email.max;

/** Compares nothing that cannot be an address: a cell has one candidate for each separator. */
const isAddress = (text: string) => text.length <= LONGEST && AT.test(text) && isEmailKey(emailKey(text));

/** The number of addresses that a cell can hold at most, found without parsing it. */
export const addressSigns = (cell: string): number => cell.match(new RegExp(AT, 'gu'))?.length ?? 0;
