import type { Database } from '#libs/database';
import type { ExportColumn } from './contact-columns.js';
import { copyRows } from './copy-rows.js';
import type { CsvStyle } from '../domain/records/csv-text.js';
import { csvText } from '../domain/records/csv-text.js';
import type { Filter } from './export.statements.js';
import { pageOf } from './export.statements.js';

export interface ExportedRows {
  readonly columns: readonly ExportColumn[];
  readonly style: CsvStyle;
  readonly filter: Filter;
}

interface Page {
  readonly text: string;
  /** The id of its last contact; null when there are no more. */
  readonly last: string | null;
}

/** The contacts of an organization as text, page by page. */
export async function* pagesOf(
  database: Database,
  organizationId: string,
  rows: ExportedRows,
): AsyncGenerator<string> {
  let next: Promise<Page> | null = readPage(database, organizationId, rows, null);
  while (next) {
    const { text, last }: Page = await next;
    // The database looks for the next ones while these are sent.
    next = last === null ? null : readPage(database, organizationId, rows, last);
    next?.catch(() => undefined);
    if (text !== '') yield text;
  }
}

async function readPage(
  database: Database,
  organizationId: string,
  { columns, style, filter }: ExportedRows,
  after: string | null,
): Promise<Page> {
  const texts: string[] = [];
  let last: string | null = null;
  await copyRows(database, pageOf(columns, filter, organizationId, after), (rows) => {
    last = rows.at(-1)?.at(-1) ?? last;
    texts.push(csvText(written(rows, columns), style));
  });
  return { text: texts.join(''), last };
}

/** The cells of rows in place, to make no second set of them. */
function written(rows: string[][], columns: readonly ExportColumn[]): string[][] {
  const made = columns.flatMap(({ cell }, at) => (cell ? [{ at, cell }] : []));
  for (const row of rows) for (const { at, cell } of made) row[at] = cell(row[at] ?? '');
  return rows;
}
