import type { MappedColumn } from '../columns/map-columns.js';

/** What a row has in a column. */
export interface Cell {
  readonly column: string;
  readonly field: MappedColumn['field'];
  readonly value: string;
  /** As the file has it, not normalised. */
  readonly given: string;
}
