import type { CsvFile } from '../reading/csv-file.js';
import { isRoleAddress } from '../domain/cells/role-address.js';
import type { RowCode } from '../domain/cells/row-problem.js';
import type { ImportRules } from '../domain/import-options.js';
import type { ImportReport, ImportWarning, RowMessage } from './import-report.js';
import type { ImportUpload, RunningImport } from './import-request.js';
import type { ImportTurn } from './import-turn.js';
import { MAX_MESSAGES, SAID_OF_ROW, totalsOf } from './import-report.js';
import { SEEN_BEFORE } from './merge.statements.js';
import { ADDRESSES_OF_TWO, COUNT_OUTCOMES, NAMES_OF_ADDRESSES, PLAN_SAYS } from './outcome.statements.js';
import { addressesOfTwo, readingWarnings, sampleRows, severalNames } from './warnings.js';
import type { Staged } from './staging.js';

/** The report of a plan. @throws Error when the totals do not add up */
export async function writeReport(
  turn: ImportTurn,
  { request, file, mapping, start, staged }: RunningImport & { staged: Staged },
): Promise<ImportReport> {
  const { rules, upload } = request;
  const { organizationId, dryRun, duplicates, key, onDeletedMatch, onError } = rules;
  const importId = dryRun ? null : turn.importId;
  const counts = await turn.query<{ outcome: string; count: number }>(COUNT_OUTCOMES, turn.key);
  const outcomes = new Map(counts.map(({ outcome, count }) => [outcome, count]));
  const totals = totalsOf(staged.rowsRead, outcomes.set('skippedEmpty', staged.skippedEmpty));
  const mapped = new Set(mapping.map(({ column }) => column));
  return {
    importId,
    organizationId,
    dryRun,
    file: aboutFile(upload, file),
    options: { duplicates, key, onDeletedMatch, onError },
    mapping: mapping.map(({ column, field, how }) => ({ column, field, how })),
    unmappedColumns: file.columns.filter((column) => !mapped.has(column)),
    totals,
    warnings: [
      ...readingWarnings(file),
      ...(await namesOfAddresses(turn, rules)),
      ...(staged.hasAdditional ? await contactsOfAddresses(turn, rules) : []),
    ],
    sampleRows: dryRun ? sampleRows(file) : [],
    ...(await messages(turn, staged)),
    failedRows: importId && totals.failed > 0 ? `/api/contacts/imports/${importId}/failed-rows` : null,
    seenBefore: await seenBefore(turn, upload.file.sha256),
    durationMs: Math.round(performance.now() - start),
  };
}

function aboutFile(upload: ImportUpload, { encoding, table }: CsvFile): ImportReport['file'] {
  return {
    name: upload.name,
    bytes: upload.file.size,
    sha256: upload.file.sha256,
    encoding: encoding.label,
    encodingSource: encoding.source,
    delimiter: table.delimiter,
    hasHeader: table.header !== null,
    headerLine: table.headerLine,
    skippedLines: Math.max(0, (table.headerLine ?? 1) - 1 - (table.hasSeparatorLine ? 1 : 0)),
  };
}

async function messages(turn: ImportTurn, staged: Staged) {
  const rows = await turn.query<{ row: number; line: number; code: RowCode; isError: boolean }>(PLAN_SAYS, [
    ...turn.key,
    MAX_MESSAGES + 1,
  ]);
  const said = rows.map(({ row, line, code, isError }): RowMessage => {
    const message = SAID_OF_ROW[code] ?? code;
    return {
      line,
      row,
      column: null,
      field: null,
      severity: isError ? 'error' : 'notice',
      code,
      message,
      value: null,
    };
  });
  const errors = [...staged.messages, ...said].sort((a, b) => a.row - b.row);
  return {
    errors: errors.slice(0, MAX_MESSAGES),
    errorsTruncated: staged.isTruncated || errors.length > MAX_MESSAGES,
  };
}

const MAX_LINES = 20;

/** With another key the address is not used for matching. */
async function namesOfAddresses(turn: ImportTurn, { key }: ImportRules): Promise<ImportWarning[]> {
  if (key !== 'email') return [];
  const [found] = await turn.query<{ count: number; lines: number[] }>(NAMES_OF_ADDRESSES, [
    ...turn.key,
    MAX_LINES,
  ]);
  return severalNames(found?.count ?? 0, found?.lines ?? []);
}

const MAX_ADDRESSES = 1_000;

/** Several contacts can share a role address. */
async function contactsOfAddresses(turn: ImportTurn, { key }: ImportRules): Promise<ImportWarning[]> {
  if (key !== 'email') return [];
  const found = await turn.query<{ address: string; line: number }>(ADDRESSES_OF_TWO, [
    ...turn.key,
    MAX_ADDRESSES,
  ]);
  const personal = found.filter(({ address }) => !isRoleAddress(address));
  const lines = [...new Set(personal.map(({ line }) => line))].slice(0, MAX_LINES);
  return addressesOfTwo(personal.length, lines, found.length < MAX_ADDRESSES);
}

async function seenBefore(turn: ImportTurn, sha256: string) {
  const { organizationId } = turn;
  const [row] = await turn.query<{ importId: string; at: Date }>(SEEN_BEFORE, [organizationId, sha256]);
  return row ? { importId: row.importId, at: row.at.toISOString() } : null;
}
