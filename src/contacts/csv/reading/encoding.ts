import { EncodingIsUnknown, FileIsNotText } from '../domain/csv.errors.js';
import { guessEncoding } from './guess-encoding.js';
import { canonicalLabel } from './text-decoder.js';
import type { Utf8Evidence } from './utf8-scan.js';

/**
 * Why this encoding: a byte order mark; every byte is UTF-8; nearly all are; the option of the caller; or the most
 * plausible words (`statistics`). `pattern`: UTF-16 without a mark, recognized by its zero bytes.
 */
export type EncodingSource = 'bom' | 'content' | 'mostly' | 'pattern' | 'hint' | 'statistics';

export interface Encoding {
  /** As `canonicalLabel` writes it. */
  readonly label: string;
  readonly source: EncodingSource;
  /** Some bytes may be invalid in it: a U+FFFD in a cell is one of them, not a character of the file. */
  readonly mayBeBroken: boolean;
  /** Another encoding is nearly as plausible, or none is plausible. */
  readonly isUncertain: boolean;
  /** For a guess, the next best encoding with a different text. */
  readonly secondBest: string | null;
}

type Found = Pick<Encoding, 'label' | 'source'> & Partial<Encoding>;

/**
 * Minimum of well-formed characters per invalid byte for which a file still counts as UTF-8. In another encoding few pairs
 * of bytes are valid UTF-8 by chance.
 */
const MIN_WELL_FORMED = 1;

/** First bytes of formats that are often renamed to .csv. */
const SPREADSHEETS: readonly (readonly [string, string])[] = [
  ['504b0304', 'a spreadsheet or ZIP archive'],
  ['504b0506', 'a ZIP archive'],
  ['d0cf11e0', 'an old Excel file'],
  ['1f8b', 'a gzip archive'],
  ['25504446', 'a PDF'],
];

/**
 * In this order: byte order mark; UTF-8, when the whole file is valid and can be nothing else; the option of the caller; a guess. Statistics come
 * last, because they can misread valid UTF-8.
 * @param head the first bytes of the file, 64 KB at most.
 * @throws FileIsNotText for archives, spreadsheets, vCards and zero bytes that are not UTF-16; EncodingIsUnknown.
 */
export async function encodingOf(head: Buffer, utf8: Utf8Evidence, hint?: string): Promise<Encoding> {
  const found = await detect(head, utf8, hint === undefined ? undefined : labelOf(hint));
  const mayBeBroken = found.label !== 'utf-8' || utf8.broken > 0;
  return { mayBeBroken, isUncertain: false, secondBest: null, ...found };
}

async function detect(head: Buffer, utf8: Utf8Evidence, hinted?: string): Promise<Found> {
  const marked = markOf(head);
  refuseOtherFormats(marked === 'utf-8' ? head.subarray(3) : head);
  if (marked) return { label: marked, source: 'bom' };
  const wide = head.includes(0) ? utf16WithoutMark(head, hinted) : undefined;
  if (wide) return wide;
  const isEvident = utf8.broken === 0 && !(hinted && utf8.isAmbiguous);
  if (isEvident) return { label: 'utf-8', source: 'content' };
  if (hinted && hinted !== 'utf-8') return { label: hinted, source: 'hint' };
  if (hinted || utf8.multibyte >= MIN_WELL_FORMED * utf8.broken) return { label: 'utf-8', source: 'mostly' };
  const { label, secondBest, isCertain } = await guessEncoding(utf8.words);
  return { label, source: 'statistics', isUncertain: !isCertain, secondBest };
}

function labelOf(name: string): string {
  const label = canonicalLabel(name);
  if (label === undefined) throw new EncodingIsUnknown(name);
  return label;
}

function markOf(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return undefined;
}

function refuseOtherFormats(head: Buffer): void {
  const first = head.subarray(0, 4).toString('hex');
  const kind = SPREADSHEETS.find(([magic]) => first.startsWith(magic));
  if (kind) throw new FileIsNotText(`The file is ${kind[1]}. Save it as CSV and send that.`);
  // In UTF-16 every other byte of these letters is zero.
  const letters = head.subarray(0, 128).toString('latin1').replaceAll('\0', '');
  if (/^(?:ÿþ|þÿ)?\s*BEGIN:VCARD/i.test(letters))
    throw new FileIsNotText('The file is a vCard (.vcf). Export the contacts as CSV and send that.');
}

/**
 * Text in UTF-16 has its zero bytes on one side only: in Latin letters many, in other scripts in line breaks and
 * delimiters.
 */
function utf16WithoutMark(head: Buffer, hinted?: string): Found {
  if (hinted?.startsWith('utf-16')) return { label: hinted, source: 'hint' };
  const zeros = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] as number) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (even < MAX_OTHER_SIDE * odd && (odd > head.length / ZERO_SHARE || hasUtf16LineFeeds(head, 0)))
    return { label: 'utf-16le', source: 'pattern' };
  if (odd < MAX_OTHER_SIDE * even && (even > head.length / ZERO_SHARE || hasUtf16LineFeeds(head, 1)))
    return { label: 'utf-16be', source: 'pattern' };
  throw new FileIsNotText('The file has zero bytes: it is not text. Save it as CSV and send that.');
}

const ZERO_SHARE = 8;
/** Few characters have their zero byte on the other side, such as U+0100. */
const MAX_OTHER_SIDE = 0.05;

/** Most bytes of line feeds are line feeds of UTF-16. @param side position of the byte in a pair, 0 or 1. */
function hasUtf16LineFeeds(head: Buffer, side: 0 | 1): boolean {
  let [wide, all] = [0, 0];
  for (let at = head.indexOf(LINE_FEED); at >= 0; at = head.indexOf(LINE_FEED, at + 1)) {
    all += 1;
    if (at % 2 === side && head[at + (side === 0 ? 1 : -1)] === 0) wide += 1;
  }
  return wide > all / 2;
}

const LINE_FEED = 10;
