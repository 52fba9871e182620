/**
 * SQL that is sent as a named prepared statement: parsed once per connection. The name must be unique in
 * the process; the server refuses the same name with another text.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** Anything that runs SQL: the database itself or a transaction of it. */
export interface Executor {
  /** Rows as pg parses them: timestamptz as Date, bigint and numeric as string, jsonb as objects. */
  query<Row extends object>(sql: string | Statement, values?: readonly unknown[]): Promise<Row[]>;
}
