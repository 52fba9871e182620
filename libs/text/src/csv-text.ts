import type { FormulaGuard } from './formula-guard.js';

export interface CsvStyle {
  readonly delimiter: string;
  /** null: cells are written without a guard against formulas. */
  readonly guard: FormulaGuard | null;
}

/**
 * Rows as text, each ended by CRLF (RFC 4180). fast-csv takes four times as long, which is longer than the database takes
 * to read the rows.
 */
export function csvText(rows: readonly (readonly string[])[], { delimiter, guard }: CsvStyle): string {
  // A program that guesses another delimiter must not split a cell: cells with any delimiter are quoted (OWASP, CSV
  // injection).
  const needsQuotes = new RegExp(`["\\r\\n,;|\\t\\u{${delimiter.codePointAt(0)?.toString(16)}}]`, 'u');
  const quoted = (cell: string) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  // Fast path: nearly all cells need no quotes.
  const isPlain = (cell: string) => !needsQuotes.test(cell) && (guard?.isPlain(cell) ?? true);
  let text = '';
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 1) {
      const cell = row[at] as string;
      text += (at > 0 ? delimiter : '') + (isPlain(cell) ? cell : quoted(guard?.guarded(cell) ?? cell));
    }
    text += '\r\n';
  }
  return text;
}

/** Excel reads a file as UTF-8 only with this prefix. */
export const BYTE_ORDER_MARK = '\ufeff';
