import { isPlaceholder } from '../cells/empty-cell.js';
import { FORMULA_SIGN, guarded } from '../cells/formula-guard.js';

export interface CsvStyle {
  readonly delimiter: string;
  /** Writes cells without the guard against formulas. */
  readonly raw: boolean;
}

/**
 * Rows as text, each ended by CRLF (RFC 4180). fast-csv takes four times as long, which is longer than the database takes
 * to read the rows.
 */
export function csvText(rows: readonly (readonly string[])[], { delimiter, raw }: CsvStyle): string {
  // A program that guesses another delimiter must not split a cell: cells with any delimiter are quoted (OWASP, CSV
  // injection).
  const needsQuotes = new RegExp(`["\\r\\n,;|\\t\\u{${delimiter.codePointAt(0)?.toString(16)}}]`, 'u');
  const quoted = (cell: string) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const written = (cell: string) => quoted(raw ? cell : guarded(cell));
  // Fast path: nearly all cells need no quotes.
  const mayNeedQuotes = new RegExp(`^${FORMULA_SIGN.source}|${needsQuotes.source}`, 'u');
  const isPlain = (cell: string) => !mayNeedQuotes.test(cell) && !isPlaceholder(cell);
  let text = '';
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 1) {
      const cell = row[at] as string;
      text += (at > 0 ? delimiter : '') + (isPlain(cell) ? cell : written(cell));
    }
    text += '\r\n';
  }
  return text;
}

/** Excel reads a file as UTF-8 only with this prefix. */
export const BYTE_ORDER_MARK = '\ufeff';
