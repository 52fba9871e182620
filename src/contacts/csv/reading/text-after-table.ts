import type { MappedColumn } from '../columns/map-columns.js';
import { emailsOfCell } from '../domain/cells/email-cell.js';
import type { CsvRow } from './parse-rows.js';

/** Lines that are held back until the next row, or the end of the file, decides what they are. */
const MAX_HELD = 100;
/** Complete rows, after which a lone value is unusual by itself. */
const MIN_ROWS = 3;

/**
 * Separates the rows of a table from text below it, such as the totals and the copyright lines of a report. The lines after an
 * empty one are judged together: they are text when none has an address, a phone or an id, and most are unlike the rows above.
 * Directly below the rows, only a lone value without delimiters is text. A line between two rows is a row.
 */
export class TextAfterTable {
  /** Physical lines of the text, after `end`. */
  readonly lines: number[] = [];
  /** Empty lines and text, as far as known. */
  private held: CsvRow[] = [];
  /** The lines of `held` since the last empty one. */
  private block: CsvRow[] = [];
  private fullRows = 0;
  /** The columns of the values of rows that have only one; LONE without delimiters. */
  private readonly lone = new Set<number>();
  /** The fewest cells of a row with several values that has no address, phone or id. */
  private fewestCells = Infinity;

  constructor(
    private readonly columns: number,
    private readonly mapping: readonly MappedColumn[] = [],
  ) {}

  /** @returns the rows that certainly belong to the table. */
  take(rows: readonly CsvRow[]): CsvRow[] {
    return this.columns < 2 ? [...rows] : rows.flatMap((row) => this.next(row));
  }

  /** @returns the held rows that belong to the table, and the empty lines; the others are text. */
  end(): CsvRow[] {
    if (this.isOfRows()) return this.release();
    const text = this.held.filter((row) => !isEmpty(row));
    this.lines.push(...text.map(({ record }) => record.line));
    return this.held.filter(isEmpty);
  }

  private next(row: CsvRow): CsvRow[] {
    if (this.fullRows === 0) return this.release(row);
    if (isEmpty(row)) {
      const released = this.isOfRows() || this.held.length >= MAX_HELD ? this.release() : [];
      this.held.push(row);
      this.block = [];
      return released;
    }
    if (this.held.length >= MAX_HELD || !this.mayBeText(row)) return this.release(row);
    this.held.push(row);
    this.block.push(row);
    return [];
  }

  private release(...row: CsvRow[]): CsvRow[] {
    const released = [...this.held, ...row];
    for (const one of released) this.learn(one);
    [this.held, this.block] = [[], []];
    return released;
  }

  private learn(row: CsvRow): void {
    const { cells } = row;
    const values = filled(row);
    if (!cells || values === 0) return;
    if (values === 1) this.lone.add(placeOf(cells));
    else if (cells.length < this.fewestCells && !this.hasKey(row)) this.fewestCells = cells.length;
    if (values > 1 && cells.length >= this.columns) this.fullRows += 1;
  }

  private mayBeText(row: CsvRow): boolean {
    const isAfterEmptyLine = this.held.length > this.block.length;
    return (isAfterEmptyLine || this.isUnlikeLast(row)) && !this.hasKey(row);
  }

  private isUnlikeLast({ cells }: CsvRow): boolean {
    const isUnlike = cells?.length === 1 && !this.lone.has(LONE) && !this.lone.has(0);
    return isUnlike && (this.block.length === 0 || this.fullRows >= MIN_ROWS);
  }

  /** Whether the lines after the last empty one belong to the table. */
  private isOfRows(): boolean {
    const [first] = this.block;
    if (!first || this.block.length === this.held.length) return false;
    if (this.block.length === 1 && this.fullRows < MIN_ROWS && filled(first) === 1)
      return first.cells?.length !== 1;
    return 2 * this.block.filter((row) => this.isLikeRows(row)).length >= this.block.length;
  }

  private isLikeRows(row: CsvRow): boolean {
    const { cells } = row;
    if (!cells) return this.fewestCells < Infinity;
    return filled(row) === 1 ? this.lone.has(placeOf(cells)) : cells.length >= this.fewestCells;
  }

  /** Whether it says who it is about. */
  private hasKey({ record, cells }: CsvRow): boolean {
    if (!cells) return record.problem === 'too_large' || record.text.includes('@');
    if (cells.some(isAddress)) return true;
    return this.mapping.some(({ index, field }) => isKey(field, cells[index] ?? ''));
  }
}

const LONE = -1;

/** A longer value is no address and no key. */
const LONGEST = 1_000;
/** One word with a digit: a footer can be in the column of an id. */
const ID = /^\s*(?=\S*\d)\S+\s*$/;
const KEYS = new Map<string, RegExp>([
  ['id', ID],
  ['externalId', ID],
  ['phones', /(?:\d[^\d\p{L}]*){5}/u],
]);

const isKey = (field: string, cell: string) => cell.length <= LONGEST && KEYS.get(field)?.test(cell) === true;

const isAddress = (cell: string) =>
  cell.length <= LONGEST && cell.includes('@') && emailsOfCell(cell).valid.length > 0;

const filled = ({ cells }: CsvRow): number => cells?.filter((cell) => cell.trim() !== '').length ?? 0;

/** A record with a problem has no cells, and is not empty. */
const isEmpty = (row: CsvRow) => filled(row) === 0 && !row.record.problem;

const placeOf = (cells: readonly string[]) =>
  cells.length === 1 ? LONE : cells.findIndex((cell) => cell.trim() !== '');
