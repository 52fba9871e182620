import { FORMULA_SIGN, guarded } from '../cells/formula-guard.js';

export interface CsvStyle {
  readonly delimiter: string;
  /** Cells are written as they are, formulas too. */
  readonly raw: boolean;
}

/**
 * Rows as text, each ended by CRLF (RFC 4180). Written here because fast-csv takes four times as long for it, which is
 * more than the database needs to find the rows.
 */
export function csvText(rows: readonly (readonly string[])[], { delimiter, raw }: CsvStyle): string {
  // A program that guesses another delimiter must not cut a cell: what may be one is quoted (OWASP, CSV injection).
  const needsQuotes = new RegExp(`["\\r\\n,;\\t\\u{${delimiter.codePointAt(0)?.toString(16)}}]`, 'u');
  const quoted = (cell: string) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const written = (cell: string) => quoted(raw ? cell : guarded(cell));
  // Nearly all cells are written as they are, and one look tells.
  const needsCare = new RegExp(`^${FORMULA_SIGN.source}|${needsQuotes.source}`, 'u');
  let text = '';
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 1) {
      const cell = row[at] as string;
      text += (at > 0 ? delimiter : '') + (needsCare.test(cell) ? written(cell) : cell);
    }
    text += '\r\n';
  }
  return text;
}

/** Excel takes a file for UTF-8 only with this in front. */
export const BYTE_ORDER_MARK = '\ufeff';
