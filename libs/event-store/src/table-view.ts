import type { Executor } from '#libs/database';
import { statement } from '#libs/database';
import type { InlineView, ViewRow } from './inline-view.js';
import type { ViewTable } from './view-table.js';
import { upsert } from './view-table.js';

/** What the statement that appends to a stream also writes: one INSERT or DELETE per table. */
export interface StreamWrites {
  /** The same for the same tables with a row: part of the statement's name. */
  readonly shape: string;
  readonly values: readonly unknown[];
  /** As CTEs, after one called `head`, which has one row where the append held and none otherwise. $1 is the stream. */
  readonly ctes: (firstParameter: number) => string;
}

/** A view whose tables have at most one row per stream, so the statement that appends events can save it as well. */
export class TableView<State> implements InlineView<State> {
  readonly name: string;
  readonly tables: readonly string[];
  private readonly parts: readonly ViewTable<State>[];

  constructor({ name, tables }: { readonly name: string; readonly tables: readonly ViewTable<State>[] }) {
    this.name = name;
    this.parts = tables;
    this.tables = tables.map((table) => table.name);
  }

  /** One value per parameter: PostgreSQL reads a row of single values in half the time of one in JSON. */
  writesOf(stream: ViewRow<State>): StreamWrites {
    const rows = this.parts.map((table) => ({ table, values: table.valuesOf(stream) }));
    return {
      shape: rows.map(({ values }) => (values ? 'row' : 'none')).join('_'),
      values: rows.flatMap(({ table, values }) => (values ? parameters(table, values) : [])),
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

  /** Many rows of a table are one JSON value. Writes without rows are left out. */
  async save(executor: Executor, streams: readonly ViewRow<State>[]): Promise<void> {
    const writes = this.parts.flatMap((table, index) => writesOfMany(table, index, streams));
    if (writes.length === 0) return;
    const ctes = writes.map(({ name, sql }, index) => `${name} AS (${sql(`$${index + 1}`)})`);
    const name = ['save_view', this.name, ...writes.map((write) => write.name)].join('_');
    const values = writes.map(({ value }) => value);
    await executor.query(statement(name, `WITH ${ctes.join(', ')} SELECT`), values);
  }

  /**
   * Compares the stored rows of these streams with what they should be and deletes those that differ.
   * @returns the streams that miss a row now. `save` writes them, after this was done for all streams: a row that is wrong
   * may hold a place that another stream's row needs.
   */
  async deleteStale(executor: Executor, streams: readonly ViewRow<State>[]): Promise<Set<string>> {
    const values: string[] = [];
    const parameter = (value: string) => `$${values.push(value)}`;
    const parts = this.parts.map((table, index) => {
      const { rows, gone } = rowsOfMany(table, streams);
      const [live, given] = ['live', 'given'].map((of) => table.columns.map(([column]) => `${of}.${column}`));
      return `stale_${index} AS (
          SELECT given.${table.key} AS id FROM ${recordset(table, parameter(JSON.stringify(rows)), 'given')}
          LEFT JOIN ${table.name} AS live ON live.${table.key} = given.${table.key}
          WHERE live.${table.key} IS NULL OR (${live?.join(', ')}) IS DISTINCT FROM (${given?.join(', ')})),
        deleted_${index} AS (
          DELETE FROM ${table.name} WHERE ${table.key} IN (SELECT id FROM stale_${index})
            OR ${table.key} = ANY (${parameter(arrayOf(gone))}::uuid[]))`;
    });
    const stale = this.parts.map((_, index) => `SELECT id FROM stale_${index}`);
    // Unnamed: planned each time, for the size that the table has now.
    const sql = `WITH ${parts.join(', ')} ${stale.join(' UNION ')}`;
    return new Set((await executor.query<{ id: string }>(sql, values)).map(({ id }) => id));
  }

  /** Deletes rows of what is no stream of this type. */
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

const isJson = (type: string): boolean => type === 'json' || type === 'jsonb';

const parameters = <State>({ columns }: ViewTable<State>, values: readonly unknown[]): unknown[] =>
  values.map((value, index) =>
    value !== null && isJson(columns[index]?.[1] ?? '') ? JSON.stringify(value) : value,
  );

interface Write {
  readonly name: string;
  readonly value: string;
  readonly sql: (parameter: string) => string;
}

function writesOfMany<State>(
  table: ViewTable<State>,
  index: number,
  streams: readonly ViewRow<State>[],
): Write[] {
  const { rows, gone } = rowsOfMany(table, streams);
  const writes: Write[] = [];
  if (rows.length > 0) {
    const sql = (given: string) => upsert(table, `SELECT * FROM ${recordset(table, given, 'given')}`);
    writes.push({ name: `rows${index}`, value: JSON.stringify(rows), sql });
  }
  if (gone.length > 0) {
    const sql = (given: string) => `DELETE FROM ${table.name} WHERE ${table.key} = ANY (${given}::uuid[])`;
    writes.push({ name: `gone${index}`, value: arrayOf(gone), sql });
  }
  return writes;
}

/** Rows as JSON takes them, and streams without one. */
function rowsOfMany<State>(table: ViewTable<State>, streams: readonly ViewRow<State>[]) {
  const rows: Record<string, unknown>[] = [];
  const gone: string[] = [];
  for (const stream of streams) {
    const values = table.valuesOf(stream);
    if (values) rows.push(recordOf(table, stream.id, values));
    else gone.push(stream.id);
  }
  return { rows, gone };
}

function recordset<State>({ key, columns }: ViewTable<State>, json: string, name: string): string {
  const typed = [`${key} uuid`, ...columns.map(([column, type]) => `${column} ${type}`)];
  return `jsonb_to_recordset(${json}::jsonb) AS ${name} (${typed.join(', ')})`;
}

/** As PostgreSQL writes an array. */
const arrayOf = (ids: readonly string[]): string => `{${ids.join(',')}}`;

const recordOf = <State>({ key, columns }: ViewTable<State>, id: string, values: readonly unknown[]) => ({
  [key]: id,
  ...Object.fromEntries(columns.map(([column], index) => [column, values[index]])),
});
