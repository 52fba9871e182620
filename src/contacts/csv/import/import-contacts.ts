import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext } from '#libs/auth';
import type { Transaction } from '#libs/database';
import { EventStore } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { PROBLEMS_COLUMN } from '../columns/known-headers.js';
import { contactFieldsOf } from '../columns/import-fields.js';
import { mapColumns, type MappedColumn } from '../columns/map-columns.js';
import { ImportIsAborted, MappingIsNotValid } from '../domain/csv.errors.js';
import { CsvFile } from '../reading/csv-file.js';
import { ImportLock } from './import-lock.js';
import type { ImportRules } from '../dto/import-contacts.dto.js';
import type { ContactsImported, ImportRequest, RunningImport } from './import-request.js';
import type { ImportReportDto } from '../dto/import-report.dto.js';
import type { ImportSession } from './import-session.js';
import { TOTALS, writeReport } from './write-report.js';
import {
  LOCK_TARGETS,
  INSERT_CONTACTS,
  INSERT_IMPORT,
  INSERT_NOTES,
  UPDATE_CONTACTS,
} from './merge.statements.js';
import { KEEP_FAILED_ROWS } from './outcome.statements.js';
import { planContacts } from './plan-contacts.statements.js';
import { planRows, type RowsToPlan } from './plan-rows.statements.js';
import { Staging } from './staging.js';
import { ANALYZE_CONTACTS, ANALYZE_PLAN, EMPTY_PLAN } from './staging.statements.js';

export class ImportContacts extends RequestCommand<ImportRequest, ImportReportDto> {}

/**
 * How often a stale plan is discarded and made again outside of the transaction. After that, the plan is made while its
 * contacts are locked: the transaction takes longer, but it succeeds.
 */
const MAX_PLANS_WITHOUT_LOCK = 3;

@CommandHandler(ImportContacts)
export class ImportContactsHandler implements ICommandHandler<ImportContacts> {
  constructor(
    private readonly lock: ImportLock,
    private readonly store: EventStore,
  ) {}

  async execute({ request }: ImportContacts): Promise<ImportReportDto> {
    const start = performance.now();
    const { upload, rules, hints, mapping: given } = request;
    const names = Object.keys(given ?? {});
    const file = await CsvFile.open(upload.file, { names, raw: rules.raw, ...hints });
    const { columns, table } = file;
    const { organizationId } = rules;
    const mapping = mapColumns({ organizationId, columns, given, sample: table.sample });
    requireKeyColumn(mapping, rules.key);
    return this.lock.exclusively(organizationId, upload, (session) =>
      this.import(session, { request, file, mapping, start }),
    );
  }

  private async import(session: ImportSession, running: RunningImport): Promise<ImportReportDto> {
    const { request, file, mapping } = running;
    const { rules, upload } = request;
    const reading = {
      mapping,
      columns: file.columns.length,
      raw: rules.raw,
      hasBrokenBytes: file.encoding.mayBeBroken,
    };
    const staged = await Staging.fill(session, file, { reading, rules, signal: upload.signal });
    const rowsStaged = staged.rowsRead - staged.skippedEmpty;
    const plan = async (): Promise<ImportReportDto> => {
      upload.signal.throwIfAborted();
      await session.requireStaged(rowsStaged);
      await makePlan(session, rules, { notes: hasNotes(mapping), staged });
      return writeReport(session, { ...running, staged });
    };
    for (let plans = 1; ; plans += 1) {
      const planned = await plan();
      upload.signal.throwIfAborted();
      const merged = await this.merge(session, running, {
        planned,
        staged: rowsStaged,
        replan: plans > MAX_PLANS_WITHOUT_LOCK ? plan : () => Promise.reject(new RollbackSignal(null)),
      });
      if (merged) return merged;
    }
  }

  /** A dry run does all of it and is rolled back. Null when the plan is stale and must be made again outside of the transaction. */
  private async merge(
    session: ImportSession,
    { request, file, start }: RunningImport,
    { planned, staged, replan }: Plan,
  ): Promise<ImportReportDto | null> {
    const { caller, rules, storeAnswer, upload } = request;
    const { importId, key } = session;
    const merged = session.merge(async (transaction) => {
      await session.requireStaged(staged);
      let plan = planned;
      // Locked contacts cannot change, so each round leaves fewer that can.
      while (!(await lockTargets(transaction, session))) plan = await replan();
      await this.append(transaction, caller, importId, plan);
      await transaction.query(UPDATE_CONTACTS, key);
      await transaction.query(INSERT_CONTACTS, key);
      if (hasNotes(plan.mapping)) await transaction.query(INSERT_NOTES, [...key, caller.type, caller.id]);
      const report = { ...plan, durationMs: Math.round(performance.now() - start) };
      await transaction.query(INSERT_IMPORT, importRow(importId, file, rules.raw, report));
      await transaction.query(KEEP_FAILED_ROWS, key);
      const { failed } = report.totals;
      if (rules.onError === 'abort' && failed > 0) {
        throw new ImportIsAborted({ ...report, importId: null, failedRows: null }, failed);
      }
      if (rules.dryRun) throw new RollbackSignal(report);
      await storeAnswer(transaction, report);
      upload.signal.throwIfAborted();
      return report;
    });
    return merged.catch((error: unknown) => {
      if (error instanceof RollbackSignal) return error.report;
      throw error;
    });
  }

  private append(transaction: Transaction, caller: Caller, importId: string, report: ImportReportDto) {
    const event: ContactsImported = {
      type: 'ContactsImported',
      data: { importId, fields: contactFieldsOf(report.mapping), ...report.totals },
    };
    return this.store.append(transaction, {
      stream: importId,
      streamType: 'contact_import',
      expected: 'none',
      afterWrites: true,
      events: [event],
      metadata: eventContext(caller, { organizationId: report.organizationId, brandId: null }),
    });
  }
}

/**
 * Without the key column all rows would be new contacts, although the caller expects matches. The default key, email, is
 * optional.
 */
function requireKeyColumn(mapping: readonly MappedColumn[], key: ImportRules['key']): void {
  if (key === 'email' || mapping.some(({ field }) => field === key)) return;
  throw new MappingIsNotValid([
    { pointer: '#/options/key', code: 'key_not_mapped', detail: `needs a column that is mapped to ${key}` },
  ]);
}

interface Plan {
  readonly planned: ImportReportDto;
  readonly staged: number;
  /** Plans again in the transaction that locks the contacts. */
  readonly replan: () => Promise<ImportReportDto>;
}

async function lockTargets(transaction: Transaction, { key }: ImportSession): Promise<boolean> {
  const [targets] = await transaction.query<{ planned: number; same: number }>(LOCK_TARGETS, key);
  return targets?.planned === targets?.same;
}

class RollbackSignal extends Error {
  constructor(readonly report: ImportReportDto | null) {
    super('rolled back');
  }
}

const hasNotes = (mapping: readonly Pick<MappedColumn, 'field'>[]) =>
  mapping.some(({ field }) => field === 'notes');

async function makePlan(
  session: ImportSession,
  rules: ImportRules,
  { notes, staged }: { notes: boolean; staged: RowsToPlan },
): Promise<void> {
  const { duplicates, onDeletedMatch } = rules;
  await session.query(EMPTY_PLAN, session.key);
  await session.query(planRows(rules, staged), [...session.key, duplicates, onDeletedMatch]);
  await session.query(ANALYZE_PLAN);
  await session.query(planContacts(rules, notes), session.key);
  await session.query(ANALYZE_CONTACTS);
}

function importRow(importId: string, file: CsvFile, raw: boolean, report: ImportReportDto): unknown[] {
  // The columns of the stored rows: with the column of problems of an earlier import.
  const header = file.table.firstCell === 1 ? [PROBLEMS_COLUMN, ...file.columns] : file.columns;
  return [
    importId,
    report.organizationId,
    report.file.sha256,
    header,
    file.table.delimiter,
    raw,
    JSON.stringify(report),
    ...TOTALS.map((total) => report.totals[total]),
  ];
}
