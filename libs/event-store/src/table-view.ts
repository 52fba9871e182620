import type { Executor } from '#libs/database';
import { statement } from '#libs/database';
import type { InlineView, ViewRow } from './inline-view.js';
import type { ViewTable } from './view-table.js';
import { deletion, given, parametersOf, rowsOfMany, upsert } from './view-rows.js';

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
      values: rows.flatMap(({ table, values }) => (values ? parametersOf(table, values) : [])),
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

  /** Many rows of a table are one array per column. Writes without rows are left out. */
  async save(executor: Executor, streams: readonly ViewRow<State>[]): Promise<void> {
    const values: unknown[] = [];
    const ctes: string[] = [];
    for (const [index, table] of this.parts.entries()) {
      const { rows, gone } = rowsOfMany(table, streams);
      const add = (write: string, sql: string) => ctes.push(`${write}_${index} AS (${sql})`);
      if (rows.length > 0) add('saved', upsert(table, `SELECT * FROM ${given(table, rows, values)}`));
      if (gone.length > 0) add('gone', deletion(table, `= ANY ($${values.push(gone)}::uuid[])`));
    }
    if (ctes.length === 0) return;
    const name = ['save_view', this.name, ...ctes.map((cte) => cte.slice(0, cte.indexOf(' ')))].join('_');
    await executor.query(statement(name, `WITH ${ctes.join(', ')} SELECT`), values);
  }

  /**
   * Compares the stored rows of these streams with what they should be and deletes those that differ.
   * @returns the streams that miss a row now. `save` writes them, after this was done for all streams: a row that is wrong
   * may hold a place that another stream's row needs.
   */
  async deleteStale(executor: Executor, streams: readonly ViewRow<State>[]): Promise<Set<string>> {
    const values: unknown[] = [];
    const ctes = this.parts.map((table, index) => {
      const { rows, gone } = rowsOfMany(table, streams);
      const { name, key, columns } = table;
      const of = (row: string) => `(${columns.map(([column]) => `${row}.${column}`).join(', ')})`;
      return `stale_${index} AS (
          SELECT given.${key} AS id FROM ${given(table, rows, values)} LEFT JOIN ${name} AS live ON live.${key} = given.${key}
          WHERE live.${key} IS NULL OR ${of('live')} IS DISTINCT FROM ${of('given')}),
        deleted_${index} AS (
          DELETE FROM ${name} AS live USING (
            SELECT id FROM stale_${index} UNION SELECT unnest($${values.push(gone)}::uuid[])) AS wrong (id)
          WHERE live.${key} = wrong.id)`;
    });
    const stale = this.parts.map((_, index) => `SELECT id FROM stale_${index}`);
    // Unnamed: planned each time, for the size that the table has now.
    const sql = `WITH ${ctes.join(', ')} ${stale.join(' UNION ')}`;
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
