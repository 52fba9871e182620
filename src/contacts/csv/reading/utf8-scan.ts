import { isAscii, isUtf8 } from 'node:buffer';
import { mayBeOtherThanUtf8 } from '#libs/text';

/** Limits of the number and length of words: more would not improve a guess. */
const MAX_WORDS = 300;
const MAX_LENGTH = 80;
/** Minimum per chunk, so that all parts of a file are represented. */
const MIN_PER_CHUNK = 8;

/** Collects distinct words with bytes above 127 from all parts of a file: encodings differ in these. */
class HighByteWords {
  private readonly words = new Map<string, Buffer>();
  private rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    if (this.words.size >= MAX_WORDS) return;
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const quota = this.words.size + Math.max(MIN_PER_CHUNK, Math.floor((MAX_WORDS - this.words.size) / 2));
    const end = this.collect(bytes, Math.min(quota, MAX_WORDS));
    this.rest = Buffer.from(bytes.subarray(Math.max(end, bytes.length - MAX_LENGTH)));
  }

  end(): Buffer[] {
    this.add(this.rest);
    return [...this.words.values()];
  }

  /** @returns the start of a word that can continue in the next chunk. */
  private collect(bytes: Buffer, quota: number): number {
    let start = 0;
    for (let at = 0; at < bytes.length && this.words.size < quota; at += 1) {
      if (isOfWord(bytes[at] as number)) continue;
      this.add(bytes.subarray(start, at));
      start = at + 1;
    }
    return this.words.size < quota ? start : bytes.length;
  }

  private add(word: Buffer): void {
    if (!word.some((byte) => byte >= 0x80)) return;
    const kept = Buffer.from(word.subarray(0, MAX_LENGTH));
    this.words.set(kept.toString('latin1'), kept);
  }
}

/** Digits and possible second bytes of a character: in Shift_JIS, GBK and Big5 from 0x40. */
const isOfWord = (byte: number): boolean => byte >= 0x40 || (byte >= 0x30 && byte <= 0x39);

export interface Utf8Evidence {
  /** Approximate number of bytes outside of UTF-8 sequences. 0: the whole file is UTF-8. */
  readonly broken: number;
  /** Well-formed characters of several bytes, counted up to ENOUGH. */
  readonly multibyte: number;
  /** Has no such characters, and signs of encodings whose bytes are well-formed UTF-8, too. */
  readonly isAmbiguous: boolean;
  /** Some words of the parts that are not UTF-8, as bytes. */
  readonly words: readonly Buffer[];
}

const ENOUGH = 10_000;
const REPLACEMENT = /\ufffd/g;
const MULTIBYTE = /[\u0080-\ufffc]/g;

/** Scans every byte of a file, chunk by chunk, for evidence for and against UTF-8. */
export class Utf8Scan {
  private rest: Buffer = Buffer.alloc(0);
  private broken = 0;
  private multibyte = 0;
  private hasOtherSigns = false;
  private readonly words = new HighByteWords();

  push(chunk: Buffer): void {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const end = bytes.length - unfinished(bytes);
    this.rest = Buffer.from(bytes.subarray(end));
    this.look(bytes.subarray(0, end));
  }

  end(): Utf8Evidence {
    this.look(this.rest);
    const { broken, multibyte } = this;
    return { broken, multibyte, isAmbiguous: this.hasOtherSigns && multibyte === 0, words: this.words.end() };
  }

  private look(bytes: Buffer): void {
    this.hasOtherSigns ||= mayBeOtherThanUtf8(bytes);
    if (isAscii(bytes)) return;
    const wellFormed = isUtf8(bytes);
    if (wellFormed && this.multibyte >= ENOUGH) return;
    const text = bytes.toString('utf8');
    if (!wellFormed) {
      this.broken += text.match(REPLACEMENT)?.length ?? 0;
      this.words.push(bytes);
    }
    this.multibyte += text.match(MULTIBYTE)?.length ?? 0;
  }
}

/** The number of bytes at the end that start an incomplete sequence. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? back : 0;
  }
  return 0;
}
