import { StringDecoder } from 'node:string_decoder';
import { escapeLiteral } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Database, longRunning, type Transaction } from '#libs/database';

type SqlValue = string | number | boolean | null | readonly SqlValue[];

/**
 * COPY takes no parameters: the values of `$1`, `$2` … are inserted as literals that pg quotes.
 * @param condition must not hold text of a caller.
 */
export function withValues(condition: string, values: readonly SqlValue[]): string {
  return condition.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]));
}

function literal(value: SqlValue | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  return Array.isArray(value) ? `ARRAY[${value.map(literal).join(',')}]` : escapeLiteral(String(value));
}

/**
 * Streams the rows of a query, cell by cell, NULL as the empty text: a few rows at a time, each in memory only while
 * `take` handles it.
 */
export function copyRows(database: Database, query: string, take: (rows: string[][]) => void): Promise<void> {
  const copying = async ({ client }: Transaction) => {
    const decoder = new StringDecoder('utf8');
    let begun = '';
    for await (const chunk of client.query(copyTo(`COPY (${query}) TO STDOUT (FORMAT text, NULL '')`))) {
      const lines = (begun + decoder.write(chunk as Buffer)).split('\n');
      begun = lines.pop() ?? '';
      take(lines.map(cellsOf));
    }
  };
  // In a transaction, because behind a pooler the time limit exists only there.
  return longRunning(() => database.separateTransaction(copying));
}

/** PostgreSQL, "COPY", text format: escapes that the server sends. */
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function cellsOf(line: string): string[] {
  const cells = line.split('\t');
  return line.includes('\\') ? cells.map(unescaped) : cells;
}

function unescaped(cell: string): string {
  return cell.replace(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign);
}
