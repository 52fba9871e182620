import type { Database } from '#libs/database';
import { type CsvStyle, csvText } from '#libs/text';
import type { ExportColumn } from './contact-columns.js';
import { copyRows } from './copy-rows.js';
import { type Filter, pageOf } from './export.statements.js';

export interface ExportedRows {
  readonly columns: readonly ExportColumn[];
  readonly style: CsvStyle;
  readonly filter: Filter;
}

interface Page {
  readonly text: string;
  /** The id of the last contact of the page; null at the end. */
  readonly last: string | null;
}

export async function* pagesOf(
  database: Database,
  organizationId: string,
  rows: ExportedRows,
): AsyncGenerator<string> {
  let next: Promise<Page> | null = readPage(database, organizationId, rows, null);
  while (next) {
    const { text, last }: Page = await next;
    // The database reads the next page while this one is sent.
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

/** Replaces the cells of rows in place, to avoid a copy. */
function written(rows: string[][], columns: readonly ExportColumn[]): string[][] {
  const made = columns.flatMap(({ cell }, at) => (cell ? [{ at, cell }] : []));
  for (const row of rows) for (const { at, cell } of made) row[at] = cell(row[at] ?? '');
  return rows;
}
