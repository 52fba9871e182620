import { writeToString } from 'fast-csv';
import { guarded } from '../rows/formula-guard.js';

export interface CsvStyle {
  readonly delimiter: string;
  /** Cells are written as they are, formulas too. */
  readonly raw: boolean;
}

/** Rows as text, each ended by CRLF (RFC 4180). */
export async function csvText(
  rows: readonly (readonly string[])[],
  { delimiter, raw }: CsvStyle,
): Promise<string> {
  const cells = rows.map((row) => (raw ? [...row] : row.map(guarded)));
  const options = { delimiter, rowDelimiter: '\r\n', headers: false, includeEndRowDelimiter: true };
  return rows.length > 0 ? writeToString(cells, options) : '';
}

/** Excel takes a file for UTF-8 only with this in front. */
export const BYTE_ORDER_MARK = '\ufeff';
