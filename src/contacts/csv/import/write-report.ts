import type { CsvFile } from '../reading/csv-file.js';
import { isRoleAddress } from '../domain/cells/role-address.js';
import type { RowCode } from '../domain/cells/row-problem.js';
import type { ImportRules } from '../domain/import-options.js';
import {
  type ImportReport,
  type ImportWarning,
  MAX_MESSAGES,
  ROW_MESSAGES,
  type RowMessage,
  totalsOf,
} from './import-report.js';
import type { ImportUpload, RunningImport } from './import-request.js';
import type { ImportSession } from './import-session.js';
import { SEEN_BEFORE } from './merge.statements.js';
import {
  SHARED_ADDRESSES,
  COUNT_OUTCOMES,
  ADDRESSES_WITH_NAMES,
  CHANGED_LISTS,
  PLAN_MESSAGES,
} from './outcome.statements.js';
import { changedLists, sharedAddresses, readingWarnings, sampleRows, severalNames } from './warnings.js';
import type { Staged } from './staging.js';

/** The report of a plan. @throws Error when the totals do not add up */
export async function writeReport(
  session: ImportSession,
  { request, file, mapping, start, staged }: RunningImport & { staged: Staged },
): Promise<ImportReport> {
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
    warnings: [
      ...readingWarnings(file),
      ...(await warnOfLists(session, rules)),
      ...(await warnOfNames(session, rules)),
      ...(staged.hasAdditional ? await warnOfSharedAddresses(session, rules) : []),
    ],
    sampleRows: dryRun ? sampleRows(file) : [],
    ...(await messages(session, staged)),
    failedRows: importId && totals.failed > 0 ? `/api/contacts/imports/${importId}/failed-rows` : null,
    seenBefore: await seenBefore(session, upload.file.sha256),
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

async function messages(session: ImportSession, staged: Staged) {
  const rows = await session.query<{ row: number; line: number; code: RowCode; isError: boolean }>(
    PLAN_MESSAGES,
    [...session.key, MAX_MESSAGES + 1],
  );
  const ofRows = rows.map(({ row, line, code, isError }): RowMessage => {
    const message = ROW_MESSAGES[code] ?? code;
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
  const errors = [...staged.messages, ...ofRows].sort((a, b) => a.row - b.row);
  return {
    errors: errors.slice(0, MAX_MESSAGES),
    errorsTruncated: staged.isTruncated || errors.length > MAX_MESSAGES,
  };
}

const MAX_LINES = 20;

/** An import that fills empty fields or creates contacts changes no list. */
async function warnOfLists(
  session: ImportSession,
  { duplicates, lists }: ImportRules,
): Promise<ImportWarning[]> {
  if (duplicates !== 'update') return [];
  const [found] = await session.query<{ count: number; lines: number[] }>(CHANGED_LISTS[lists], [
    ...session.key,
    MAX_LINES,
  ]);
  return changedLists(lists, found?.count ?? 0, found?.lines ?? []);
}

/** With another key the address is not used for matching. */
async function warnOfNames(session: ImportSession, { key }: ImportRules): Promise<ImportWarning[]> {
  if (key !== 'email') return [];
  const [found] = await session.query<{ count: number; lines: number[] }>(ADDRESSES_WITH_NAMES, [
    ...session.key,
    MAX_LINES,
  ]);
  return severalNames(found?.count ?? 0, found?.lines ?? []);
}

const MAX_ADDRESSES = 1_000;

/** Several contacts can share a role address. */
async function warnOfSharedAddresses(session: ImportSession, { key }: ImportRules): Promise<ImportWarning[]> {
  if (key !== 'email') return [];
  const found = await session.query<{ address: string; line: number }>(SHARED_ADDRESSES, [
    ...session.key,
    MAX_ADDRESSES,
  ]);
  const personal = found.filter(({ address }) => !isRoleAddress(address));
  const lines = [...new Set(personal.map(({ line }) => line))].slice(0, MAX_LINES);
  return sharedAddresses(personal.length, lines, found.length < MAX_ADDRESSES);
}

async function seenBefore(session: ImportSession, sha256: string) {
  const { organizationId } = session;
  const [row] = await session.query<{ importId: string; at: Date }>(SEEN_BEFORE, [organizationId, sha256]);
  return row ? { importId: row.importId, at: row.at.toISOString() } : null;
}
