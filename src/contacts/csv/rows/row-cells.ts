import { isLonger } from '#libs/http';
import type { RowCode, RowProblem } from '../domain/cells/row-problem.js';
import { problem } from '../domain/cells/row-problem.js';
import type { Cell } from './cell.js';

/** The cells of a row with a value, and the problems that are found in them. */
export class RowCells {
  constructor(
    protected readonly cells: readonly Cell[],
    readonly problems: RowProblem[],
  ) {}

  protected fault(code: RowCode, message: string, cell: Cell): void {
    this.problems.push(problem(code, message, cell));
  }

  /** The first cell with a value; further values are reported as ignored. */
  protected only(field: Cell['field']): Cell | undefined {
    const [first, ...others] = this.cells.filter((cell) => cell.field === field);
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
