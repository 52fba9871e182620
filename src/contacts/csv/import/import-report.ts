import type { MappedColumn } from '../columns/map-columns.js';
import type { EncodingSource } from '../reading/encoding.js';
import type { RowCode } from '../domain/cells/row-problem.js';
import type { ImportRules } from '../domain/import-options.js';

export const OUTCOMES = [
  'created',
  'updated',
  'unchanged',
  'skippedDuplicate',
  'skippedEmpty',
  'failed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** `rowsRead` is always the sum of the others. */
export type ImportTotals = Readonly<Record<Outcome | 'rowsRead', number>>;

export interface RowMessage {
  /** The physical line on which the row starts, from 1; rows can span lines. */
  readonly line: number;
  /** The number of the row below the header, from 1. */
  readonly row: number;
  readonly column: string | null;
  readonly field: string | null;
  readonly severity: 'error' | 'notice';
  readonly code: RowCode;
  readonly message: string;
  readonly value: string | null;
}

/** A possible problem of the whole file. */
export interface ImportWarning {
  readonly code:
    | 'encoding_uncertain'
    | 'delimiter_uncertain'
    | 'text_after_table'
    | 'address_with_several_names'
    | 'address_of_two_contacts'
    | 'values_added'
    | 'values_replaced';
  readonly message: string;
  /** The encoding or delimiter that is nearly as plausible; null without one. */
  readonly secondBest: string | null;
  /** Physical lines of the first rows concerned. */
  readonly lines: readonly number[];
}

/** A row as it was read, for a person to check. */
export interface SampleRow {
  readonly line: number;
  /** Values are cut after 100 characters. */
  readonly cells: readonly { readonly column: string; readonly value: string }[];
}

export interface ImportReport {
  /** Null for a dry run, which stores nothing. */
  readonly importId: string | null;
  readonly organizationId: string;
  readonly dryRun: boolean;
  readonly file: {
    /** Null after a contact of the organization was erased. */
    readonly name: string | null;
    readonly bytes: number;
    readonly sha256: string;
    readonly encoding: string;
    readonly encodingSource: EncodingSource;
    readonly delimiter: string;
    readonly hasHeader: boolean;
    readonly headerLine: number | null;
    /** Lines above the header that were skipped. */
    readonly skippedLines: number;
  };
  readonly options: Pick<ImportRules, 'duplicates' | 'lists' | 'key' | 'onDeletedMatch' | 'onError'>;
  readonly mapping: readonly Pick<MappedColumn, 'column' | 'field' | 'how'>[];
  readonly unmappedColumns: readonly string[];
  readonly totals: ImportTotals;
  readonly warnings: readonly ImportWarning[];
  /** Three rows of a dry run, otherwise none, because reports are stored. */
  readonly sampleRows: readonly SampleRow[];
  readonly errors: readonly RowMessage[];
  readonly errorsTruncated: boolean;
  /** Path to the failed rows as CSV; null without any, and for a dry run. */
  readonly failedRows: string | null;
  /** The last import of the same bytes, if any. It does not affect this import. */
  readonly seenBefore: { readonly importId: string; readonly at: string } | null;
  readonly durationMs: number;
}

/** Maximum messages in a report; the rows can be downloaded without a limit. */
export const MAX_MESSAGES = 1_000;

/** @throws Error when a row has no outcome or two: then nothing is imported. */
export function totalsOf(rowsRead: number, counts: ReadonlyMap<string, number>): ImportTotals {
  const totals = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts.get(outcome) ?? 0]));
  const sum = OUTCOMES.reduce((total, outcome) => total + (totals[outcome] ?? 0), 0);
  if (sum !== rowsRead) throw new Error(`${rowsRead} rows were read and ${sum} are accounted for.`);
  return { rowsRead, ...totals } as ImportTotals;
}

/** Messages of the codes that the plan assigns to whole rows. */
export const ROW_MESSAGES: Readonly<Partial<Record<RowCode, string>>> = {
  missing_required: 'has no name, email address, company or phone number',
  limit_exceeded: 'exceeds the maximum of custom fields, addresses, phones, tags or websites of the contact',
  duplicate_in_file: 'matches the contact of an earlier row of this file',
  duplicate_existing: 'matches an existing contact',
  matches_deleted: 'matches a deleted contact',
  ambiguous_match: 'matches more than one contact',
};
