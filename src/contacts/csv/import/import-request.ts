import type { Caller } from '#libs/auth';
import type { Executor } from '#libs/database';
import type { GivenMapping, MappedColumn } from '../columns/map-columns.js';
import type { CsvFile, ReadingHints } from '../reading/csv-file.js';
import type { ImportRules } from './import-options.js';
import type { ImportReport } from './import-report.js';
import type { Upload } from './upload.js';

export interface ImportRequest {
  readonly caller: Caller;
  readonly upload: Upload;
  readonly rules: ImportRules;
  readonly hints: ReadingHints;
  readonly mapping?: GivenMapping;
  /** Stores what is answered, in the transaction in which the contacts come in. */
  readonly keep: (executor: Executor, report: ImportReport) => Promise<void>;
}

export interface RunningImport {
  readonly request: ImportRequest;
  readonly file: CsvFile;
  readonly mapping: readonly MappedColumn[];
  /** performance.now() of the beginning. */
  readonly start: number;
}
