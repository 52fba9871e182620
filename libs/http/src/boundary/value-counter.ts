import { MAX_VALUES, tooManyValues } from './clean-json.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Counts the values of a JSON text before it is parsed. JSON.parse makes an object for each of them: 20 MiB of `[` block the process for
 * seconds and take 1 GB, and so does 1 MiB of values together with a long integer, which is read from the source text. For text that is no JSON
 * the count means nothing.
 */
export class ValueCounter {
  private values = 1;
  private isInString = false;
  private isEscaped = false;
  private hasOpened = false;

  /** @throws RequestIsNotValid above `MAX_VALUES`, as `cleanJson` */
  add(bytes: Buffer): void {
    if (this.isInsideOfString(bytes)) return;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (this.isInString) this.inString(byte);
      else this.outside(byte);
    }
    if (this.values > MAX_VALUES) throw tooManyValues();
  }

  /** Most parts of an image are: their bytes need not be looked at one by one. */
  private isInsideOfString(bytes: Buffer): boolean {
    return this.isInString && !this.isEscaped && !bytes.includes(QUOTE) && !bytes.includes(BACKSLASH);
  }

  private inString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isInString = false;
  }

  private outside(byte: number): void {
    if (WHITE_SPACE.has(byte)) return;
    // An empty list or object has no value.
    if (byte === COMMA || (this.hasOpened && !CLOSING.has(byte))) this.values += 1;
    this.hasOpened = OPENING.has(byte);
    if (byte === QUOTE) this.isInString = true;
  }
}
