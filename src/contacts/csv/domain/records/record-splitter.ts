/** Why a record cannot be parsed. */
export type RecordProblem = 'quote_not_closed' | 'text_after_quote' | 'too_large';

/** One record as written, without the line break at its end. */
export interface CsvRecord {
  /** The physical line it starts on, from 1: a record can span lines. */
  readonly line: number;
  /** Cut after KEPT_OF_TOO_LARGE characters when it is too large. */
  readonly text: string;
  readonly problem?: RecordProblem;
}

/** Maximum characters of one record. A note of many pages fits; an unclosed quote does not consume the whole file. */
export const MAX_RECORD = 256 * 1024;
/** Maximum cells of one record: the columns of a spreadsheet. */
const MAX_CELLS = 16_384;
const SHOWN_OF_TOO_LARGE = 1_000;

const [LF, CR, QUOTE] = [10, 13, 34];

type State = 'field-start' | 'unquoted' | 'quoted' | 'after-quote' | 'broken' | 'skipping';

/**
 * Splits text into records (RFC 4180; line breaks CR, LF and CRLF) in one pass, with one record in memory. It finds the
 * same boundaries as the row parser, and in addition physical lines, a maximum record size, and recovery after a malformed
 * record: text after a closing quote invalidates that line; an unclosed quote invalidates the line on which it was opened.
 */
export class RecordSplitter {
  private buffer = '';
  private position = 0;
  private start = 0;
  private state: State = 'field-start';
  /** Of the record that begins at `start`, without the first one. */
  private cells = 0;
  private startLine: number;
  private line: number;
  private found: CsvRecord[] = [];
  private readonly delimiter: number;

  constructor(delimiter: string, firstLine = 1) {
    this.delimiter = delimiter.charCodeAt(0);
    this.startLine = this.line = firstLine;
  }

  /** @returns the records that ended in this chunk. */
  push(text: string): CsvRecord[] {
    this.buffer = this.buffer.slice(this.start) + text;
    this.position -= this.start;
    this.start = 0;
    this.scan(false);
    return this.taken();
  }

  end(): CsvRecord[] {
    this.scan(true);
    while (this.state === 'quoted') {
      this.recoverFromQuote();
      this.scan(true);
    }
    if (this.state !== 'skipping' && this.position > this.start) this.emit();
    return this.taken();
  }

  private taken(): CsvRecord[] {
    const found = this.found;
    this.found = [];
    return found;
  }

  private scan(isEnd: boolean): void {
    while (this.position < this.buffer.length) {
      const isTooLarge = this.position - this.start >= MAX_RECORD || this.cells >= MAX_CELLS;
      if (isTooLarge && this.state !== 'skipping') {
        this.tooLarge();
        continue;
      }
      const code = this.buffer.charCodeAt(this.position);
      if (code === LF || code === CR) {
        const width = this.lineBreak(code, isEnd);
        if (width === 0) return;
        this.endLine(width);
      } else {
        this.state = this.after(code);
        this.position += 1;
      }
    }
    if (this.state === 'skipping') this.start = this.position;
  }

  /** 0 when the next chunk decides between CR and CRLF. */
  private lineBreak(code: number, isEnd: boolean): number {
    if (code === LF) return 1;
    if (this.position + 1 === this.buffer.length) return isEnd ? 1 : 0;
    return this.buffer.charCodeAt(this.position + 1) === LF ? 2 : 1;
  }

  private endLine(width: number): void {
    const wasSkipping = this.state === 'skipping';
    if (!wasSkipping && this.state !== 'quoted') this.emit();
    this.position += width;
    this.line += 1;
    if (this.state !== 'quoted') this.beginRecord();
  }

  private beginRecord(): void {
    this.start = this.position;
    this.startLine = this.line;
    this.state = 'field-start';
    this.cells = 0;
  }

  private after(code: number): State {
    const { state } = this;
    // A quote inside quotes closes them or is the first of a pair, depending on the next character.
    if (state === 'quoted') return code === QUOTE ? 'after-quote' : 'quoted';
    if (state === 'broken' || state === 'skipping') return state;
    if (code === this.delimiter) {
      this.cells += 1;
      return 'field-start';
    }
    if (state === 'unquoted') return 'unquoted';
    if (isSpace(code)) return state;
    if (state === 'field-start') return code === QUOTE ? 'quoted' : 'unquoted';
    return code === QUOTE && this.buffer.charCodeAt(this.position - 1) === QUOTE ? 'quoted' : 'broken';
  }

  private emit(
    problem: RecordProblem | undefined = this.state === 'broken' ? 'text_after_quote' : undefined,
  ) {
    const text = this.buffer.slice(this.start, this.position);
    this.found.push(problem ? { line: this.startLine, text, problem } : { line: this.startLine, text });
  }

  private tooLarge(): void {
    if (this.state === 'quoted' && this.recoverFromQuote()) return;
    const text = this.buffer.slice(this.start, this.start + SHOWN_OF_TOO_LARGE);
    this.found.push({ line: this.startLine, text, problem: 'too_large' });
    this.state = 'skipping';
    this.start = this.position;
  }

  /**
   * The line on which the quote was opened is invalid; reading continues after it. False when the end of that line has not
   * been read yet.
   */
  private recoverFromQuote(): boolean {
    const ending = /\r\n?|\n/g;
    ending.lastIndex = this.start;
    const found = ending.exec(this.buffer);
    const isWhole = found !== null && found.index < this.position;
    if (!isWhole && this.position - this.start >= MAX_RECORD) return false;
    this.position = isWhole ? found.index : this.buffer.length;
    this.emit('quote_not_closed');
    this.position += isWhole ? found[0].length : 0;
    this.line = this.startLine + (isWhole ? 1 : 0);
    this.beginRecord();
    return true;
  }
}

/** White space that the row parser accepts around a quoted cell. */
function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return /\s/.test(String.fromCharCode(code));
}
