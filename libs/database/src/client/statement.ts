import { createHash } from 'node:crypto';

/** In bytes. PostgreSQL compares no more of a name (NAMEDATALEN - 1), pg all of it. */
export const MAX_STATEMENT_NAME = 63;

const DIGEST_LENGTH = 16;

/**
 * SQL that is sent as a named prepared statement: parsed once per connection. Made by `statement`. The name must be unique in
 * the process; the server refuses the same name with another text.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** @param name ASCII, of any length: a long one ends with a digest of the whole name */
export function statement(name: string, text: string): Statement {
  if (name.length <= MAX_STATEMENT_NAME) return { name, text };
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LENGTH);
  return { name: `${name.slice(0, MAX_STATEMENT_NAME - DIGEST_LENGTH - 1)}_${digest}`, text };
}

/** Anything that runs SQL: the database itself or a transaction of it. */
export interface Executor {
  /** Rows as pg parses them: timestamptz as Date, bigint and numeric as string, jsonb as objects. */
  query<Row extends object>(sql: string | Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * JSON texts from `JSON.stringify` as one value for a parameter of type text[] or jsonb[]. Three times faster than pg, which
 * quotes every element with regular expressions. JSON has no bare control characters, so quoting it again as JSON gives a
 * valid array literal (PostgreSQL manual, section 8.15.2).
 */
export function arrayOfJson(texts: readonly string[]): string {
  return `{${texts.map((text) => JSON.stringify(text)).join(',')}}`;
}
