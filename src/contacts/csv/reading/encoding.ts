import { EncodingIsUnknown, FileIsNotText } from '../csv.errors.js';
import type { Utf8Evidence } from './utf8-scan.js';

/**
 * Why this encoding: a byte order mark; every byte is UTF-8; all but a few are; what the caller said; or nothing better
 * was left (`fallback`, windows-1252). `pattern`: UTF-16 without a mark, by its zero bytes.
 */
export type EncodingSource = 'bom' | 'content' | 'mostly' | 'pattern' | 'hint' | 'fallback';

export interface Encoding {
  /** A label of the WHATWG Encoding Standard. */
  readonly label: string;
  readonly source: EncodingSource;
  /** Some bytes may mean nothing in it: a U+FFFD in a cell is one of those, and not what somebody wrote. */
  readonly mayBeBroken: boolean;
}

/**
 * Of a file with broken bytes, how many well-formed characters for one broken byte make it UTF-8 all the same. In another
 * encoding hardly any two bytes are one by chance.
 */
const FEW = 1;

/** First bytes of what is renamed to .csv most often. */
const SPREADSHEETS: readonly (readonly [string, string])[] = [
  ['504b0304', 'a spreadsheet or ZIP archive'],
  ['504b0506', 'a ZIP archive'],
  ['d0cf11e0', 'an old Excel file'],
  ['1f8b', 'a gzip archive'],
  ['25504446', 'a PDF'],
];

/**
 * The mark wins; then UTF-8, when the whole file is; then what the caller says; then windows-1252, which any bytes are.
 * Detectors that guess by statistics are not asked: they take plain UTF-8 for something else.
 * @param head the first bytes of the file, 64 KB at most.
 * @throws FileIsNotText for archives, spreadsheets and zero bytes that no UTF-16 explains; EncodingIsUnknown.
 */
export function encodingOf(head: Buffer, utf8: Utf8Evidence, hint?: string): Encoding {
  const found = foundOut(head, utf8, hint === undefined ? undefined : labelOf(hint));
  return { ...found, mayBeBroken: found.label !== 'utf-8' || utf8.broken > 0 };
}

function foundOut(head: Buffer, utf8: Utf8Evidence, hinted?: string): Omit<Encoding, 'mayBeBroken'> {
  const marked = markOf(head);
  if (marked) return { label: marked, source: 'bom' };
  refuseArchives(head);
  const wide = head.includes(0) ? wideWithoutMark(head, hinted) : undefined;
  if (wide) return wide;
  if (utf8.broken === 0) return { label: 'utf-8', source: 'content' };
  if (hinted && hinted !== 'utf-8') return { label: hinted, source: 'hint' };
  if (hinted || utf8.multibyte >= FEW * utf8.broken) return { label: 'utf-8', source: 'mostly' };
  return { label: 'windows-1252', source: 'fallback' };
}

/** @throws EncodingIsUnknown for what the Encoding Standard does not know */
export function labelOf(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new EncodingIsUnknown(name);
  }
}

function markOf(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return undefined;
}

function refuseArchives(head: Buffer): void {
  const first = head.subarray(0, 4).toString('hex');
  const kind = SPREADSHEETS.find(([magic]) => first.startsWith(magic));
  if (kind) throw new FileIsNotText(`The file is ${kind[1]}. Save it as CSV and send that.`);
}

/** Latin text in UTF-16 has its zeros on one side only. */
function wideWithoutMark(head: Buffer, hinted?: string): Omit<Encoding, 'mayBeBroken'> {
  if (hinted?.startsWith('utf-16')) return { label: hinted, source: 'hint' };
  const zeros = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] as number) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const many = head.length / 8;
  if (even === 0 && odd > many) return { label: 'utf-16le', source: 'pattern' };
  if (odd === 0 && even > many) return { label: 'utf-16be', source: 'pattern' };
  throw new FileIsNotText('The file holds zero bytes: it is not text. Save it as CSV and send that.');
}
