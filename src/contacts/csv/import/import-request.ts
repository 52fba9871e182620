import type { Caller } from '#libs/auth';
import type { Executor } from '#libs/database';
import type { DomainEvent } from '#libs/event-store';
import type { Spool } from '#libs/uploads';
import type { ContactField } from '../../domain/contact-fields.js';
import type { GivenMapping, MappedColumn } from '../columns/map-columns.js';
import type { ImportRules } from '../dto/import-contacts.dto.js';
import type { ImportReportDto, ImportTotalsDto } from '../dto/import-report.dto.js';
import type { CsvFile, ReadingHints } from '../reading/csv-file.js';

/** One event for a whole import, in its own stream. Created and changed contacts carry its id. */
export type ContactsImported = DomainEvent<
  'ContactsImported',
  ImportTotalsDto & {
    readonly importId: string;
    /** The mapped fields: no other field of a contact can have changed. Missing in the oldest events. */
    readonly fields?: readonly (ContactField | 'notes')[];
  }
>;

/** A file of a request, on disk until the request is answered or its process ends. */
export interface ImportUpload {
  readonly file: Spool;
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
  readonly storeAnswer: (executor: Executor, report: ImportReportDto) => Promise<void>;
}

export interface RunningImport {
  readonly request: ImportRequest;
  readonly file: CsvFile;
  readonly mapping: readonly MappedColumn[];
  readonly start: number;
}
