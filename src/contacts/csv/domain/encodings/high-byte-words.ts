/** Limits of the number and length of words: more would not improve a guess. */
const MAX_WORDS = 300;
const MAX_LENGTH = 80;
/** Minimum per chunk, so that all parts of a file are represented. */
const MIN_PER_CHUNK = 8;

/** Collects distinct words with bytes above 127 from all parts of a file: encodings differ in these. */
export class HighByteWords {
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
