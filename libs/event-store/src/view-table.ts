import type { ViewRow } from './inline-view.js';

/** Name, PostgreSQL type, and value in a row: text, number, boolean, null, or plain JSON for `jsonb`. */
export type ViewColumn<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

export interface ViewTableParts<State, Row> {
  /** Schema-qualified. */
  readonly name: string;
  /** The column that holds the stream's id. Unique. */
  readonly key: string;
  /** All columns but the key. */
  readonly columns: readonly ViewColumn<Row>[];
  /** null if the stream has no row. */
  rowOf(stream: ViewRow<State>): Row | null;
}

/** A table with at most one row per stream. */
export interface ViewTable<State> {
  readonly name: string;
  readonly key: string;
  /** Names and types. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** In the order of the columns; null if the stream has no row. */
  valuesOf(stream: ViewRow<State>): unknown[] | null;
}

export function viewTable<State, Row>(parts: ViewTableParts<State, Row>): ViewTable<State> {
  const { name, key, columns } = parts;
  return {
    name,
    key,
    columns: columns.map(([column, type]) => [column, type]),
    valuesOf(stream) {
      const row = parts.rowOf(stream);
      return row === null ? null : columns.map(([, , value]) => value(row));
    },
  };
}
