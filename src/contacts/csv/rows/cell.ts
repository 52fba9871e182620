import type { MappedColumn } from '../columns/map-columns.js';

/** The content of a row in a mapped column. */
export interface Cell {
  readonly column: string;
  readonly field: MappedColumn['field'];
  readonly value: string;
  /** As in the file, not normalised. */
  readonly given: string;
}
