import { randomUUID } from 'node:crypto';
import { isRecord, json } from './values.js';

/** A long string of a JSON document, as its bytes: ASCII without escapes, such as base64. */
export class LongString {
  constructor(readonly bytes: Buffer) {}
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Shorter ones cost JSON.parse less than this. */
const LONG = 65_536;

/**
 * Parses JSON with long strings left as bytes: JSON.parse looks at each character, which blocks the process for images of many MB.
 * undefined for text that is no JSON.
 */
export function parseWithLongStrings(bytes: Buffer): unknown {
  const found: LongString[] = [];
  const kept: Buffer[] = [];
  const mark = `long string ${randomUUID()} `;
  let from = 0;
  for (let start = bytes.indexOf(QUOTE); start >= 0;) {
    const end = endOfString(bytes, start);
    if (end < 0) break;
    const inner = bytes.subarray(start + 1, end);
    if (inner.length >= LONG && !inner.includes(BACKSLASH)) {
      kept.push(bytes.subarray(from, start + 1), Buffer.from(mark + found.length));
      found.push(new LongString(inner));
      from = end;
    }
    start = bytes.indexOf(QUOTE, end + 1);
  }
  const text = Buffer.concat([...kept, bytes.subarray(from)]).toString('utf8');
  return found.length === 0 ? json(text) : withLongStrings(json(text), mark, found);
}

/** The quote that ends the string, with an even number of backslashes before it; -1: there is none. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let at = end - 1;
    while (bytes[at] === BACKSLASH) at -= 1;
    if ((end - 1 - at) % 2 === 0) return end;
  }
  return -1;
}

function withLongStrings(value: unknown, mark: string, found: readonly LongString[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? found[Number(value.slice(mark.length))] : value;
  if (Array.isArray(value)) return value.map((one) => withLongStrings(one, mark, found));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withLongStrings(one, mark, found)]),
  );
}
