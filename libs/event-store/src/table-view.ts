import { type Executor, statement } from '#libs/database';
import type { InlineView, ViewRow } from './inline-view.js';

/** Name, PostgreSQL type, and value in a row: text, number, boolean, null, or plain JSON for `jsonb`. */
export type ViewColumn<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

interface ViewTableParts<State, Row> {
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
interface ViewTable<State> {
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

type Table<State> = ViewTable<State>;
type Columns = Pick<Table<never>, 'name' | 'key' | 'columns'>;

/** @param rows a query of the key and all columns, in that order */
function upsert({ name, key, columns }: Columns, rows: string): string {
  const names = columns.map(([column]) => column);
  const updates = names.map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${name} (${[key, ...names].join(', ')}) ${rows}
    ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`;
}

const deletion = ({ name, key }: Columns, which: string): string =>
  `DELETE FROM ${name} WHERE ${key} ${which}`;

/** Keys and values of the streams that have a row; ids of those that have none. */
function partitionRows<State>(table: Table<State>, streams: readonly ViewRow<State>[]) {
  const rows: unknown[][] = [];
  const gone: string[] = [];
  for (const stream of streams) {
    const values = table.valuesOf(stream);
    if (values) rows.push([stream.id, ...values]);
    else gone.push(stream.id);
  }
  return { rows, gone };
}

/**
 * Rows as a FROM item named `given`: one array per column, which PostgreSQL reads in three quarters of the time of one JSON
 * value. @param values of the query; the arrays are appended
 */
function rowSource({ key, columns }: Columns, rows: readonly unknown[][], values: unknown[]): string {
  const typed = [[key, 'uuid'] as const, ...columns];
  const arrays = typed.map(([, type], index) => {
    const column = rows.map((row) => row[index]);
    return `$${values.push(isJson(type) ? jsonArrayLiteral(column) : column)}::${type}[]`;
  });
  return `unnest(${arrays.join(', ')}) AS given (${typed.map(([column]) => column).join(', ')})`;
}

/** Values of one row as scalar parameters. */
const parameterValues = ({ columns }: Columns, values: readonly unknown[]): unknown[] =>
  values.map((value, index) =>
    isJson(columns[index]?.[1]) && isPresent(value) ? JSON.stringify(value) : value,
  );

const isJson = (type: string | undefined): boolean => type === 'json' || type === 'jsonb';
const isPresent = (value: unknown): boolean => value !== null && value !== undefined;

/** An array literal of JSON values and NULLs, quoted as in `arrayOfJson`. */
const jsonArrayLiteral = (values: readonly unknown[]): string =>
  `{${values.map((value) => (isPresent(value) ? JSON.stringify(JSON.stringify(value)) : 'NULL')).join(',')}}`;

/** The rows that an append statement also writes: one INSERT or DELETE per table. */
export interface StreamWrites {
  /** Which tables get a row; part of the statement's name. */
  readonly shape: string;
  readonly values: readonly unknown[];
  /** CTEs that follow one named `head`, which has one row if the expectation is met and none otherwise. $1 is the stream. */
  readonly ctes: (firstParameter: number) => string;
}

/** A view whose tables have at most one row per stream, so that the append statement can save it. */
export class TableView<State> implements InlineView<State> {
  readonly name: string;
  readonly tables: readonly string[];
  private readonly parts: readonly ViewTable<State>[];

  constructor({ name, tables }: { readonly name: string; readonly tables: readonly ViewTable<State>[] }) {
    this.name = name;
    this.parts = tables;
    this.tables = tables.map((table) => table.name);
  }

  /** One value per parameter: PostgreSQL reads scalars in half the time of one JSON value. */
  writesOf(stream: ViewRow<State>): StreamWrites {
    const rows = this.parts.map((table) => ({ table, values: table.valuesOf(stream) }));
    return {
      shape: rows.map(({ values }) => (values ? 'row' : 'none')).join('_'),
      values: rows.flatMap(({ table, values }) => (values ? parameterValues(table, values) : [])),
      ctes: (firstParameter) => {
        let next = firstParameter;
        const writes = rows.map(({ table, values }) => {
          if (!values) return `DELETE FROM ${table.name} USING head WHERE ${table.key} = $1::uuid`;
          const given = table.columns.map(([, type]) => `$${next++}::${type}`);
          return upsert(table, `SELECT $1::uuid, ${given.join(', ')} FROM head`);
        });
        return writes.map((write, index) => `write_${index + 1} AS (${write})`).join(', ');
      },
    };
  }

  /** One array per column. Omits writes without rows. */
  async save(executor: Executor, streams: readonly ViewRow<State>[]): Promise<void> {
    const values: unknown[] = [];
    const ctes: string[] = [];
    for (const [index, table] of this.parts.entries()) {
      const { rows, gone } = partitionRows(table, streams);
      const add = (write: string, sql: string) => ctes.push(`${write}_${index} AS (${sql})`);
      if (rows.length > 0) add('saved', upsert(table, `SELECT * FROM ${rowSource(table, rows, values)}`));
      if (gone.length > 0) add('gone', deletion(table, `= ANY ($${values.push(gone)}::uuid[])`));
    }
    if (ctes.length === 0) return;
    const name = ['save_view', this.name, ...ctes.map((cte) => cte.slice(0, cte.indexOf(' ')))].join('_');
    await executor.query(statement(name, `WITH ${ctes.join(', ')} SELECT`), values);
  }

  /**
   * Compares the stored rows of these streams with the expected ones and deletes those that differ.
   * @returns the streams whose rows are missing now. Call `save` for them after all streams are compared: a wrong row may
   * hold a unique value that another stream's row needs.
   */
  async deleteStale(executor: Executor, streams: readonly ViewRow<State>[]): Promise<Set<string>> {
    const values: unknown[] = [];
    const ctes = this.parts.map((table, index) => {
      const { rows, gone } = partitionRows(table, streams);
      const { name, key, columns } = table;
      const of = (row: string) => `(${columns.map(([column]) => `${row}.${column}`).join(', ')})`;
      return `stale_${index} AS (
          SELECT given.${key} AS id FROM ${rowSource(table, rows, values)} LEFT JOIN ${name} AS live ON live.${key} = given.${key}
          WHERE live.${key} IS NULL OR ${of('live')} IS DISTINCT FROM ${of('given')}),
        deleted_${index} AS (
          DELETE FROM ${name} AS live USING (
            SELECT id FROM stale_${index} UNION SELECT unnest($${values.push(gone)}::uuid[])) AS wrong (id)
          WHERE live.${key} = wrong.id)`;
    });
    const stale = this.parts.map((_, index) => `SELECT id FROM stale_${index}`);
    // Unnamed, so that each execution is planned for the current size of the table.
    const sql = `WITH ${ctes.join(', ')} ${stale.join(' UNION ')}`;
    return new Set((await executor.query<{ id: string }>(sql, values)).map(({ id }) => id));
  }

  /** Deletes rows whose key is not a stream of this type. */
  async deleteUnknown(executor: Executor, streamType: string): Promise<void> {
    for (const { name, key } of this.parts) {
      await executor.query(
        `DELETE FROM ${name} AS live WHERE NOT EXISTS (
           SELECT FROM events.stream WHERE stream.stream = live.${key} AND stream.stream_type = $1)`,
        [streamType],
      );
    }
  }
}
