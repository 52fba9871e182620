import { emailKey, isEmailKey } from '../../email.js';

/** What people write where there is no address. */
const NOTHING = /^(?:[-–—_.?/\\]+|n\/?a|none|null|nil|keine?|brak|zadny)$/iu;
/** Nobody sees them, and copied text is full of them; no address holds one. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/gu;

/** Addresses of a cell, and the pieces that are none. */
export interface EmailCell {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

/** One address or several, parted as in mail programs, with or without names: `Jana <jana@example.com>; max@example.com`. */
export function emailsOfCell(cell: string): EmailCell {
  const pieces = cell
    .replace(UNSEEN, '')
    .replace(/^\[?"|"\]?$/g, '')
    .split(/:::|[;,\r\n]|" *, *"/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '' && !NOTHING.test(piece))
    .flatMap(addressesIn);
  return { valid: pieces.filter(isAddress), invalid: pieces.filter((piece) => !isAddress(piece)) };
}

function addressesIn(piece: string): string[] {
  const named = /<([^<>]*)>/.exec(piece)?.[1] ?? piece;
  const address = named.trim().replace(/^mailto:/i, '');
  if (isAddress(address) || !/\s/.test(address)) return [address];
  const words = address.split(/\s+/);
  return words.every(isAddress) ? words : [address];
}

const isAddress = (text: string) => isEmailKey(emailKey(text));
