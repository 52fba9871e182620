import { guarded } from '../rows/formula-guard.js';

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
  const quoted = (cell: string) =>
    cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const written = raw ? quoted : (cell: string) => quoted(guarded(cell));
  return rows.map((row) => `${row.map(written).join(delimiter)}\r\n`).join('');
}

/** Excel takes a file for UTF-8 only with this in front. */
export const BYTE_ORDER_MARK = '\ufeff';
