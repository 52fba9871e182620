import { isLonger } from '#libs/http';
import type { MappedColumn } from '../columns/map-columns.js';
import { problem, type RowCode, type RowProblem } from '../domain/cells/row-problem.js';

/** The content of a row in a mapped column. */
export interface Cell {
  readonly column: string;
  readonly field: MappedColumn['field'];
  readonly value: string;
  /** As in the file, not normalised. */
  readonly given: string;
}

/** The cells of a row with a value, and the problems that are found in them. */
export class RowCells {
  constructor(
    protected readonly cells: readonly Cell[],
    readonly problems: RowProblem[],
  ) {}

  protected fault(code: RowCode, message: string, cell: Cell): void {
    this.problems.push(problem(code, message, cell));
  }

  protected of(field: Cell['field']): Cell[] {
    return this.cells.filter((cell) => cell.field === field);
  }

  /** The first cell with a value; further values are reported as ignored. */
  protected only(field: Cell['field']): Cell | undefined {
    const [first, ...others] = this.of(field);
    for (const other of others) {
      if (other.value !== first?.value)
        this.fault('value_ignored', `is ignored: column ${first?.column} has the ${field} already`, other);
    }
    return first;
  }

  protected within(limit: number, cell: Cell, value: string): string {
    if (isLonger(value, limit)) this.fault('value_too_long', `is longer than ${limit} characters`, cell);
    return value;
  }
}
