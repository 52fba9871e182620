import type { Executor, Statement } from '#libs/database';
import { statement } from '#libs/database';
import type { InlineView, ViewRow } from './inline-view.js';

export interface SqlViewParts<State> {
  readonly name: string;
  /** Schema-qualified. A rebuild empties them first; they hold nothing else. */
  readonly tables: readonly string[];
  /** What the writes are given, as JSON. */
  json(rows: readonly ViewRow<State>[]): unknown;
  /**
   * INSERTs, UPDATEs and DELETEs, run as parts of one statement: none sees what another writes. `(TABLE given)` is
   * the JSON; it is null, and then nothing may be written, when the append did not hold.
   */
  readonly writes: readonly string[];
}

/** A view that is saved by SQL alone, from one parameter: so the statement that appends an event can save it as well. */
export class SqlView<State> implements InlineView<State> {
  readonly name: string;
  readonly tables: readonly string[];
  /** The writes as CTEs, after one called `given`. */
  readonly ctes: string;
  private readonly statement: Statement;

  constructor(private readonly parts: SqlViewParts<State>) {
    this.name = parts.name;
    this.tables = parts.tables;
    this.ctes = parts.writes.map((write, index) => `write_${index + 1} AS (${write})`).join(', ');
    const text = `WITH given AS MATERIALIZED (SELECT $1::jsonb), ${this.ctes} SELECT`;
    this.statement = statement(`save_view_${this.name}`, text);
  }

  json(rows: readonly ViewRow<State>[]): string {
    return JSON.stringify(this.parts.json(rows));
  }

  async save(executor: Executor, rows: readonly ViewRow<State>[]): Promise<void> {
    await executor.query(this.statement, [this.json(rows)]);
  }
}
