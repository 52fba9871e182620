import { emailKey, isEmailKey } from '#libs/email-address';
import type { CsvRow } from './parse-rows.js';

/** Lines that are held back until the next row, or the end of the file, decides what they are. */
const MAX_HELD = 100;
/** Complete rows, after which a lone value is unusual by itself. */
const MIN_ROWS = 3;

/**
 * Separates the rows of a table from text below it, such as the totals and the copyright lines of a report: lines with one value
 * at the end of the file, after an empty line and without the delimiters of the rows above. Below several complete rows and none
 * with a single value, one of the two is enough. A line between two rows is a row.
 */
export class TextAfterTable {
  /** Physical lines of the text, after `end`. */
  readonly lines: number[] = [];
  private held: CsvRow[] = [];
  private fullRows = 0;
  /** Every row so far has two values and the delimiters of the header. */
  private isRegular = true;

  constructor(private readonly columns: number) {}

  /** @returns the rows that certainly belong to the table. */
  take(rows: readonly CsvRow[]): CsvRow[] {
    return this.columns < 2 ? [...rows] : rows.flatMap((row) => this.next(row));
  }

  /** @returns the empty lines of those that were held back; the others are text. */
  end(): CsvRow[] {
    const text = this.held.filter((row) => filled(row) > 0);
    this.lines.push(...text.map(({ record }) => record.line));
    return this.held.filter((row) => filled(row) === 0);
  }

  private next(row: CsvRow): CsvRow[] {
    if (this.mayBeText(row) && this.held.length < MAX_HELD) {
      this.held.push(row);
      return [];
    }
    const released = [...this.held, row];
    this.held = [];
    if (row.cells && filled(row) > 1 && row.cells.length >= this.columns) this.fullRows += 1;
    else if (row.cells && filled(row) > 0) this.isRegular = false;
    return released;
  }

  private mayBeText(row: CsvRow): boolean {
    if (row.record.problem || this.fullRows === 0) return false;
    if (filled(row) === 0) return true;
    if (filled(row) > 1 || !row.cells) return false;
    const [value = ''] = row.cells;
    if (value.trim() === '' || isEmailKey(emailKey(value.slice(0, LONGEST)))) return false;
    const isUnlikeRows = this.isRegular && this.fullRows >= MIN_ROWS;
    const isAfterEmptyLine = this.held.length > 0;
    return row.cells.length === 1 ? isAfterEmptyLine || isUnlikeRows : isAfterEmptyLine && isUnlikeRows;
  }
}

/** An address; a longer value is none. */
const LONGEST = 1_000;

const filled = ({ cells }: CsvRow): number => cells?.filter((cell) => cell.trim() !== '').length ?? 0;
