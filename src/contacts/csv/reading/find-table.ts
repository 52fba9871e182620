import { TimeSlices } from '#libs/concurrency';
import { LONGEST_HEADER, PROBLEMS_COLUMN, fieldOfHeader, folded } from '../columns/known-headers.js';
import { FileIsNotReadable } from '../domain/csv.errors.js';
import { equalCounts, HOLDS_ADDRESS, scoreOf, MIN_HEADER_CELLS } from '../domain/records/delimiter-score.js';
import { type CsvRow, parseRows } from './parse-rows.js';
import { RecordSplitter } from '../domain/records/record-splitter.js';

export interface Table {
  readonly delimiter: string;
  /** Another delimiter with a nearly as plausible table; null without one. */
  readonly secondBestDelimiter: string | null;
  /** 1 for a file of failed rows: its first column holds problems. Otherwise 0. */
  readonly firstCell: 0 | 1;
  readonly header: readonly string[] | null;
  /** Physical line of the header, from 1. */
  readonly headerLine: number | null;
  /** The file begins with Excel's `sep=` line. */
  readonly hasSeparatorLine: boolean;
  /** Cells of the header, or of the widest of the first rows without one. */
  readonly columns: number;
  readonly sample: readonly (readonly string[])[];
  /** Up to three rows; preferably those that show whether the encoding is right. */
  readonly shown: readonly SampleLine[];
}

export interface SampleLine {
  /** Physical line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface TableHints {
  readonly delimiter?: string;
  readonly hasHeader?: boolean;
  readonly headerLine?: number;
  readonly names?: readonly string[];
}

export interface Beginning {
  readonly text: string;
  /** The file ends here: the last record is complete. */
  readonly isWhole: boolean;
}

/** Common delimiters. The order decides between equal scores. */
const DELIMITERS = [',', ';', '\t', '|'];
export const MAX_COLUMNS = 1_000;
const MAX_HEADER_ROWS = 10;
const SAMPLE_ROWS = 100;
export const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(\r\n|\r|\n)/i;
/** The start of a file of failed rows, and its delimiter. */
const FAILED_ROWS = new RegExp(`^${PROBLEMS_COLUMN}([^\\w\\r\\n])`);
/** With a smaller difference in scores the delimiter is uncertain, if the other one also makes rows of equal length. */
const UNCERTAIN_MARGIN = 1.5;
const MIN_CONSISTENCY = 0.8;

/**
 * Finds the delimiter and the header line from the start of a file, once for the whole import.
 * @throws FileIsNotReadable when the requested header line does not exist
 */
export async function findTable({ text, isWhole }: Beginning, hints: TableHints): Promise<Table> {
  const separator = SEPARATOR_LINE.exec(text);
  const body = separator ? text.slice(separator[0].length) : text;
  const known = hints.delimiter ?? separator?.[1] ?? FAILED_ROWS.exec(body)?.[1];
  const candidates = new Candidates({ text: body, isWhole }, separator ? 2 : 1, hints);
  const scored: ScoredTable[] = [];
  const slices = new TimeSlices();
  for (const delimiter of known ? [known] : DELIMITERS) {
    await slices.pause();
    scored.push(await candidates.score(delimiter));
  }
  const [best, ...others] = scored.sort((a, b) => b.score - a.score || b.width - a.width) as [
    ScoredTable,
    ...ScoredTable[],
  ];
  const close = others.find(
    ({ score, consistency }) => score > best.score - UNCERTAIN_MARGIN && consistency >= MIN_CONSISTENCY,
  );
  return tableOf(best, separator !== null, close?.delimiter ?? null);
}

interface ScoredTable {
  readonly delimiter: string;
  readonly rows: readonly CsvRow[];
  readonly headerIndex: number;
  readonly score: number;
  readonly consistency: number;
  readonly width: number;
}

class Candidates {
  private readonly names: ReadonlySet<string>;
  /** Each cell is asked for several times, also with other delimiters. */
  private readonly knownCells = new Map<string, boolean>();
  /** The caller refers to columns by number: the file may have no header. */
  private readonly numbersOnly: boolean;

  constructor(
    private readonly beginning: Beginning,
    private readonly firstLine: number,
    private readonly hints: TableHints,
  ) {
    const names = hints.names ?? [];
    const spelled = names.filter((name) => !NUMBER.test(name));
    this.names = new Set(spelled.map(folded));
    this.numbersOnly = names.length > 0 && spelled.length === 0;
  }

  async score(delimiter: string): Promise<ScoredTable> {
    const splitter = new RecordSplitter(delimiter, this.firstLine);
    const { text, isWhole } = this.beginning;
    const records = [...splitter.push(text), ...(isWhole ? splitter.end() : [])];
    const rows = await parseRows(records.slice(0, SAMPLE_ROWS), delimiter);
    const headerIndex = this.headerIndex(rows);
    const known = headerIndex < 0 ? 0 : this.known(rows[headerIndex]?.cells ?? []);
    const cells = rows.slice(Math.max(0, headerIndex)).flatMap((row) => (row.cells ? [row.cells] : []));
    const cut = { rows: cells, hasHeader: headerIndex >= 0, known };
    const consistency = equalCounts(cells, cut.hasHeader);
    const width = Math.max(0, ...cells.map(({ length }) => length));
    return { delimiter, rows, headerIndex, score: scoreOf(cut), consistency, width };
  }

  private headerIndex(rows: readonly CsvRow[]): number {
    const { hasHeader, headerLine } = this.hints;
    // Sent with the options of the original file, whose header line can differ.
    if (isOfFailedRows(rows[0]?.cells)) return 0;
    if (hasHeader === false) return -1;
    if (headerLine !== undefined) {
      const index = rows.findIndex(({ record, cells }) => record.line === headerLine && cells !== null);
      if (index < 0)
        throw new FileIsNotReadable(
          `Line ${headerLine} is not the start of a row near the top of the file. Send another headerLine.`,
        );
      return index;
    }
    const top = rows.slice(0, MAX_HEADER_ROWS).map(({ cells }) => cells ?? []);
    const sure = top.findIndex((cells) => !this.isData(cells) && this.known(cells) >= MIN_HEADER_CELLS);
    const first = this.firstOfTable(top, sure);
    if (first < 0 || first === sure) return first;
    return hasHeader || !this.isCertainlyData(top[first] ?? []) ? first : -1;
  }

  /** A row of known words is no header when rows as wide as it, with data or a header, precede it. */
  private firstOfTable(top: readonly (readonly string[])[], sure: number): number {
    if (sure < 0) return top.findIndex((cells) => cells.length > 0);
    const width = top[sure]?.length ?? 0;
    const above = top.findIndex(
      (cells, index) =>
        index < sure && width > 1 && cells.length === width && (this.isData(cells) || this.known(cells) > 0),
    );
    return above >= 0 ? above : sure;
  }

  private isCertainlyData(cells: readonly string[]): boolean {
    return this.isData(cells) || (this.numbersOnly && this.known(cells) === 0);
  }

  /** No header is an address, unless it is known: `customFields.jane@example.com`. */
  private isData(cells: readonly string[]): boolean {
    return cells.some((cell) => HOLDS_ADDRESS.test(cell) && !this.isKnown(cell));
  }

  private known(cells: readonly string[]): number {
    return cells.slice(0, MAX_COLUMNS).filter((cell) => this.isKnown(cell)).length;
  }

  private isKnown(cell: string): boolean {
    if (cell.length > LONGEST_HEADER) return false;
    const before = this.knownCells.get(cell);
    if (before !== undefined) return before;
    const isKnown = this.names.has(folded(cell)) || fieldOfHeader(cell) !== undefined;
    this.knownCells.set(cell, isKnown);
    return isKnown;
  }
}

const NUMBER = /^#\d+$/;

const isOfFailedRows = (header: readonly string[] | null | undefined) => header?.[0] === PROBLEMS_COLUMN;

function tableOf(
  { delimiter, rows, headerIndex }: ScoredTable,
  hasSeparatorLine: boolean,
  secondBestDelimiter: string | null,
): Table {
  const head = rows[headerIndex];
  const firstCell = isOfFailedRows(head?.cells) ? 1 : 0;
  const below = rows
    .slice(headerIndex + 1)
    .flatMap(({ record: { line }, cells }) => (cells ? [{ line, cells: cells.slice(firstCell) }] : []));
  const sample = below.map(({ cells }) => cells);
  const header = head?.cells?.slice(firstCell) ?? null;
  const widest = Math.max(0, ...sample.map((cells) => cells.length));
  const columns = header?.length ?? widest;
  return {
    delimiter,
    secondBestDelimiter,
    firstCell,
    header,
    headerLine: head?.record.line ?? null,
    hasSeparatorLine,
    columns,
    sample,
    shown: shownOf(below),
  };
}

const SHOWN = 3;

function shownOf(rows: readonly SampleLine[]): SampleLine[] {
  const telling = rows.filter(({ cells }) => cells.some((cell) => /[^\p{ASCII}]/u.test(cell)));
  const chosen = [...new Set([...telling, ...rows])].slice(0, SHOWN);
  return chosen.sort((a, b) => a.line - b.line);
}
