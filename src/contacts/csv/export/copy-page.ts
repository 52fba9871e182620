import { escapeLiteral } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '#libs/database';

type SqlValue = string | number | boolean | null | readonly SqlValue[];

/**
 * COPY takes no parameters: the values of `$1`, `$2` … are written into the condition, as pg quotes them.
 * @param condition holds no text from outside.
 */
export function withValues(condition: string, values: readonly SqlValue[]): string {
  return condition.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]));
}

function literal(value: SqlValue | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  return Array.isArray(value) ? `ARRAY[${value.map(literal).join(',')}]` : escapeLiteral(String(value));
}

/** What a query finds as CSV text, each row ended by CRLF (RFC 4180), and how many rows. Held in memory as a whole. */
export function copyPage(database: Database, query: string): Promise<{ text: string; rows: number }> {
  return database.session(async ({ client }) => {
    const stream = client.query(copyTo(`COPY (${query}) TO STDOUT (FORMAT csv)`));
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return { text: withCrlf(Buffer.concat(chunks).toString('utf8')), rows: stream.rowCount };
  });
}

/** COPY ends rows by LF. What stands between quotes is a cell and stays; a doubled quote is two borders of nothing. */
function withCrlf(text: string): string {
  if (!text.includes('"')) return text.replaceAll('\n', '\r\n');
  const parts = text.split('"');
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll('\n', '\r\n') : part)).join('"');
}
