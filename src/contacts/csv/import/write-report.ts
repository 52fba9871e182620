import type { RowCode } from '../domain/cells/row-problem.js';
import type { ImportedFileDto, RowMessageDto, SampleRowDto } from '../dto/import-report-parts.dto.js';
import { type ImportReportDto, type ImportTotalsDto, MAX_MESSAGES } from '../dto/import-report.dto.js';
import type { CsvFile } from '../reading/csv-file.js';
import type { ImportUpload, RunningImport } from './import-request.js';
import type { ImportSession } from './import-session.js';
import { SEEN_BEFORE } from './merge.statements.js';
import { COUNT_OUTCOMES, PLAN_MESSAGES } from './outcome.statements.js';
import type { Staged } from './staging.js';
import { planWarnings, readingWarnings } from './warnings.js';

const OUTCOMES = ['created', 'updated', 'unchanged', 'skippedDuplicate', 'skippedEmpty', 'failed'] as const;
/** In the order of INSERT_IMPORT. */
export const TOTALS = ['rowsRead', ...OUTCOMES] as const;

/** @throws Error when a row has no outcome or two: then nothing is imported. */
function totalsOf(rowsRead: number, counts: ReadonlyMap<string, number>): ImportTotalsDto {
  const totals = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts.get(outcome) ?? 0]));
  const sum = OUTCOMES.reduce((total, outcome) => total + (totals[outcome] ?? 0), 0);
  if (sum !== rowsRead) throw new Error(`${rowsRead} rows were read and ${sum} are accounted for.`);
  return { rowsRead, ...totals } as ImportTotalsDto;
}

/** Messages of the codes that the plan assigns to whole rows. */
const ROW_MESSAGES: Readonly<Partial<Record<RowCode, string>>> = {
  missing_required: 'has no name, email address, company or phone number',
  limit_exceeded: 'exceeds the maximum of custom fields, addresses, phones, tags or websites of the contact',
  duplicate_in_file: 'matches the contact of an earlier row of this file',
  duplicate_existing: 'matches an existing contact',
  matches_deleted: 'matches a deleted contact',
  ambiguous_match: 'matches more than one contact',
};

/** The report of a plan. @throws Error when the totals do not add up */
export async function writeReport(
  session: ImportSession,
  { request, file, mapping, start, staged }: RunningImport & { staged: Staged },
): Promise<ImportReportDto> {
  const { rules, upload } = request;
  const { organizationId, dryRun, duplicates, lists, key, onDeletedMatch, onError } = rules;
  const importId = dryRun ? null : session.importId;
  const counts = await session.query<{ outcome: string; count: number }>(COUNT_OUTCOMES, session.key);
  const outcomes = new Map(counts.map(({ outcome, count }) => [outcome, count]));
  const totals = totalsOf(staged.rowsRead, outcomes.set('skippedEmpty', staged.skippedEmpty));
  const mapped = new Set(mapping.map(({ column }) => column));
  return {
    importId,
    organizationId,
    dryRun,
    file: aboutFile(upload, file),
    options: { duplicates, lists, key, onDeletedMatch, onError },
    mapping: mapping.map(({ column, field, how }) => ({ column, field, how })),
    unmappedColumns: file.columns.filter((column) => !mapped.has(column)),
    totals,
    warnings: [...readingWarnings(file), ...(await planWarnings(session, rules, staged.hasAdditional))],
    sampleRows: dryRun ? sampleRows(file) : [],
    ...(await messages(session, staged)),
    failedRows: importId && totals.failed > 0 ? `/api/contacts/imports/${importId}/failed-rows` : null,
    seenBefore: await seenBefore(session, upload.file.sha256),
    durationMs: Math.round(performance.now() - start),
  };
}

const aboutFile = ({ name, file }: ImportUpload, { encoding, table }: CsvFile): ImportedFileDto => ({
  name,
  bytes: file.size,
  sha256: file.sha256,
  encoding: encoding.label,
  encodingSource: encoding.source,
  delimiter: table.delimiter,
  hasHeader: table.header !== null,
  headerLine: table.headerLine,
  skippedLines: Math.max(0, (table.headerLine ?? 1) - 1 - (table.hasSeparatorLine ? 1 : 0)),
});

const SHOWN_CHARACTERS = 100;

function sampleRows({ table, columns }: CsvFile): SampleRowDto[] {
  const shown = (cell: string) =>
    [...cell.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('');
  return table.shown.map(({ line, cells }) => ({
    line,
    cells: columns.map((column, index) => ({ column, value: shown(cells[index] ?? '') })),
  }));
}

async function messages(session: ImportSession, staged: Staged) {
  const values = [...session.key, MAX_MESSAGES + 1];
  const rows = await session.query<{ row: number; line: number; code: RowCode; isError: boolean }>(
    PLAN_MESSAGES,
    values,
  );
  const ofRows = rows.map(({ isError, code, ...where }): RowMessageDto => {
    const severity = isError ? 'error' : 'notice';
    return {
      ...where,
      column: null,
      field: null,
      severity,
      code,
      message: ROW_MESSAGES[code] ?? code,
      value: null,
    };
  });
  const errors = [...staged.messages, ...ofRows].sort((a, b) => a.row - b.row);
  return {
    errors: errors.slice(0, MAX_MESSAGES),
    errorsTruncated: staged.isTruncated || errors.length > MAX_MESSAGES,
  };
}

async function seenBefore(session: ImportSession, sha256: string) {
  const { organizationId } = session;
  const [row] = await session.query<{ importId: string; at: Date }>(SEEN_BEFORE, [organizationId, sha256]);
  return row ? { importId: row.importId, at: row.at.toISOString() } : null;
}
