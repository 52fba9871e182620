import { isLonger } from '#libs/http';
import type { MappedColumn } from '../columns/map-columns.js';
import { problem, type RowCode, type RowProblem } from '../domain/cells/row-problem.js';

export interface Cell {
  readonly column: string;
  readonly field: MappedColumn['field'];
  readonly value: string;
  /** As in the file, not normalised. */
  readonly given: string;
}

export class RowCells {
  readonly problems: RowProblem[] = [];

  constructor(readonly cells: readonly Cell[]) {}

  fault(code: RowCode, message: string, cell: Cell): void {
    this.problems.push(problem(code, message, cell));
  }

  of(field: Cell['field']): Cell[] {
    return this.cells.filter((cell) => cell.field === field);
  }

  /** The first cell with a value; further values are reported as ignored. */
  only(field: Cell['field']): Cell | undefined {
    const [first, ...others] = this.of(field);
    for (const other of others) {
      if (other.value !== first?.value)
        this.fault('value_ignored', `is ignored: column ${first?.column} has the ${field} already`, other);
    }
    return first;
  }

  within(limit: number, cell: Cell, value: string): string {
    if (isLonger(value, limit)) this.fault('value_too_long', `is longer than ${limit} characters`, cell);
    return value;
  }
}
