import type { Caller } from '#libs/auth';
import type { Executor } from '#libs/database';
import type { Spool } from '#libs/uploads';
import type { GivenMapping, MappedColumn } from '../columns/map-columns.js';
import type { CsvFile, ReadingHints } from '../reading/csv-file.js';
import type { ImportRules } from '../domain/import-options.js';
import type { ImportReport } from './import-report.js';

/** A file of a request, on disk until the request is answered or its process ends. */
export interface ImportUpload {
  readonly file: Spool;
  /** The file name that the client sent. */
  readonly name: string;
  /** Aborts with ClientClosedRequest. */
  readonly signal: AbortSignal;
}

export interface ImportRequest {
  readonly caller: Caller;
  readonly upload: ImportUpload;
  readonly rules: ImportRules;
  readonly hints: ReadingHints;
  readonly mapping?: GivenMapping;
  /** Stores the answer in the transaction that imports the contacts. */
  readonly storeAnswer: (executor: Executor, report: ImportReport) => Promise<void>;
}

export interface RunningImport {
  readonly request: ImportRequest;
  readonly file: CsvFile;
  readonly mapping: readonly MappedColumn[];
  /** performance.now() of the start. */
  readonly start: number;
}
