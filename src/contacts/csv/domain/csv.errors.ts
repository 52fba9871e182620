import { domainError, type FieldError } from '#libs/errors';

/** Bytes that are not text in any encoding: an archive, a spreadsheet, an image. */
export class FileIsNotText extends domainError('invalid', 'file_is_not_text', (detail: string) => ({
  detail,
  errors: [{ pointer: '#/file', code: 'not_text', detail }],
})) {}

export class EncodingIsUnknown extends domainError('invalid', 'encoding_unknown', (name: string) => ({
  detail: `“${name}” is not a known encoding. Send a label such as utf-8, windows-1252 or shift_jis.`,
  errors: [{ pointer: '#/options/encoding', code: 'unknown', detail: 'is not known' }],
})) {}

/** The file is not a table: the header line is missing, there are too many columns, or no usable row. */
export class FileIsNotReadable extends domainError(
  'invalid',
  'file_not_readable',
  (detail: string) => detail,
) {}

/**
 * No column is recognized. The error lists the columns, so that the caller can write a mapping; without a header
 * these are cells, which are personal data. Therefore it names the organization, too.
 */
export class ColumnsAreNotRecognized extends domainError(
  'invalid',
  'columns_not_recognized',
  (organizationId: string, columns: readonly string[], detail: string) => ({
    detail,
    errors: [{ pointer: '#/mapping', code: 'required', detail: 'is needed for these columns' }],
    members: { organizationId, columns: columns.slice(0, 100) },
  }),
) {}

export class MappingIsNotValid extends domainError(
  'invalid',
  'mapping_not_valid',
  (errors: readonly FieldError[]) => ({ detail: 'The mapping does not fit the file.', errors }),
) {}

/** Another import of the organization, or too many others, took longer than the caller waits. */
export class ImportIsRunning extends domainError('unavailable', 'import_running', {
  detail: 'Another import is running. Send the file again when it is done.',
  retryAfterSeconds: 10,
}) {}

/** The staged rows are lost: PostgreSQL crashed or failed over, or the import paused until its lease expired. */
export class ImportIsInterrupted extends domainError('unavailable', 'import_interrupted', {
  detail: 'The import was interrupted and nothing was imported. Send the file again.',
  retryAfterSeconds: 5,
}) {}

/** `onError` is `abort` and rows failed: nothing was imported. The report lists the rows. */
export class ImportIsAborted extends domainError(
  'invalid',
  'import_aborted',
  (report: object, failed: number) => ({
    detail: `${failed} rows failed, so nothing was imported. Correct them and send the file again.`,
    members: { report },
  }),
) {}

/** The import does not exist, or belongs to another organization. */
export class ImportNotFound extends domainError(
  'not-found',
  'import_not_found',
  'The import does not exist, or you have no access to it. Check its id.',
) {}

/** Failed rows are personal data and expire after a few days. */
export class FailedRowsAreErased extends domainError(
  'not-found',
  'failed_rows_erased',
  'The failed rows of this import have expired. Import the file again to get them.',
) {}

/** A stored answer that named a contact that was erased since. @param importId null for an import without imported rows */
export class ImportReportHasChanged extends domainError(
  'not-found',
  'import_report_changed',
  (importId: string | null) =>
    importId === null
      ? 'Nothing was imported. The stored answer was erased.'
      : `The import was done. The stored answer was erased. See /api/contacts/imports/${importId}.`,
) {}
