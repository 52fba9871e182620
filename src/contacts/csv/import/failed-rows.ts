import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { BYTE_ORDER_MARK, csvText } from '#libs/text';
import { PROBLEMS_COLUMN } from '../columns/known-headers.js';
import { FailedRowsAreErased, ImportNotFound } from '../domain/csv.errors.js';
import { cellsOfMalformedRow, parseRows } from '../reading/parse-rows.js';
import { GUARD, isPlaceholder, unguarded, withoutTextFormula } from '../domain/cells/raw-cell.js';
import type { ImportReportDto } from '../dto/import-report.dto.js';

/** The rows of an import that failed, as CSV: the columns of the file, after a column with the problems. */
export class GetFailedRows extends RequestQuery<
  { importId: string; caller: Caller; raw: boolean },
  AsyncIterable<string>
> {}

export class GetImport extends RequestQuery<{ importId: string; caller: Caller }, ImportReportDto> {}

interface FailedRow {
  readonly row: number;
  readonly problems: string;
  readonly raw: string;
}

interface ImportRow {
  readonly organization_id: string;
  readonly report: ImportReportDto;
  readonly header: string[];
  readonly delimiter: string;
  readonly raw: boolean;
  readonly failed_rows_erased_at: Date | null;
}

interface FailedRowsStyle {
  readonly delimiter: string;
  /** The import read cells without the guard, so they are returned without it. */
  readonly wasRaw: boolean;
  /** Without the guard against formulas. */
  readonly raw: boolean;
}

const ROWS_AT_ONCE = 1_000;
const NOT_PARSED = /^(could_not_parse_row|row_too_large)/;

async function findImport(database: Database, importId: string, caller: Caller): Promise<ImportRow> {
  const [row] = await database.query<ImportRow>(
    `SELECT organization_id, report, header, delimiter, raw, failed_rows_erased_at
     FROM contacts.contact_import WHERE id = $1`,
    [importId],
  );
  if (!row) throw new ImportNotFound();
  caller.must('contacts.read', { organizationId: row.organization_id }, () => new ImportNotFound());
  return row;
}

@QueryHandler(GetImport)
export class GetImportHandler implements IQueryHandler<GetImport> {
  constructor(private readonly database: Database) {}

  async execute({ request: { importId, caller } }: GetImport): Promise<ImportReportDto> {
    return (await findImport(this.database, importId, caller)).report;
  }
}

@QueryHandler(GetFailedRows)
export class GetFailedRowsHandler implements IQueryHandler<GetFailedRows> {
  constructor(private readonly database: Database) {}

  async execute({ request: { importId, caller, raw } }: GetFailedRows): Promise<AsyncIterable<string>> {
    const found = await findImport(this.database, importId, caller);
    if (found.failed_rows_erased_at) throw new FailedRowsAreErased();
    const { header, delimiter } = found;
    return this.text(importId, header, { delimiter, wasRaw: found.raw, raw });
  }

  private async *text(importId: string, header: string[], { delimiter, wasRaw, raw }: FailedRowsStyle) {
    const style = { delimiter, guard: wasRaw || raw ? null : GUARD };
    // Keeps an existing guard: an import with the same options removes one.
    // A placeholder stays empty: guarded, an import would read it as text.
    const ownCell = (cell: string) => (isPlaceholder(cell) ? '' : unguarded(withoutTextFormula(cell)));
    const own = (cells: readonly string[]) => (wasRaw ? cells : cells.map(ownCell));
    // Rows that failed before have a column of problems already; it is replaced.
    const firstCell = header[0] === PROBLEMS_COLUMN ? 1 : 0;
    yield BYTE_ORDER_MARK + csvText([[PROBLEMS_COLUMN, ...header.slice(firstCell)]], style);
    let after = 0;
    for (;;) {
      const rows = await this.database.query<FailedRow>(
        `SELECT row, problems, raw FROM contacts.import_failed_row
         WHERE import_id = $1 AND row > $2 ORDER BY row LIMIT ${ROWS_AT_ONCE}`,
        [importId, after],
      );
      const cells = await this.cells(rows, delimiter);
      yield csvText(
        rows.map(({ problems }, at) => [problems, ...own(cells[at]?.slice(firstCell) ?? [])]),
        style,
      );
      if (rows.length < ROWS_AT_ONCE) return;
      after = rows.at(-1)?.row ?? after;
    }
  }

  /** A row that could not be parsed is split approximately. */
  private async cells(rows: readonly FailedRow[], delimiter: string): Promise<(readonly string[])[]> {
    const good = rows.filter(({ problems }) => !NOT_PARSED.test(problems));
    const records = good.map(({ raw: text, row: line }) => ({ text, line }));
    const parsed = new Map(
      (await parseRows(records, delimiter)).map(({ record, cells }) => [record.line, cells]),
    );
    return rows.map(({ row, raw }) => parsed.get(row) ?? cellsOfMalformedRow(raw, delimiter));
  }
}
