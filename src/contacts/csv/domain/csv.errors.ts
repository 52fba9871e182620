import type { FieldError } from '#libs/errors';
import { DomainError } from '#libs/errors';

/** Bytes that are no text in any encoding: an archive, a spreadsheet, an image. */
export class FileIsNotText extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_is_not_text';

  constructor(detail: string) {
    super(detail, { errors: [{ pointer: '#/file', code: 'not_text', detail }] });
  }
}

export class EncodingIsUnknown extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'encoding_unknown';

  constructor(name: string) {
    super(`“${name}” is no encoding; send a label such as utf-8, windows-1252 or shift_jis.`, {
      errors: [{ pointer: '#/options/encoding', code: 'unknown', detail: 'is not known' }],
    });
  }
}

/** The file cannot be read as a table: no such header line, too many columns, nothing that can be used. */
export class FileIsNotReadable extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_not_readable';
}

/**
 * No column says what it holds. Names the columns there are, so that a mapping can be made from the answer; where a file
 * has no header, they are somebody's cells. Therefore it says whose file it was, too.
 */
export class ColumnsAreNotRecognized extends DomainError {
  static readonly code = 'columns_not_recognized';
  readonly kind = 'invalid';
  readonly code = ColumnsAreNotRecognized.code;

  constructor(organizationId: string, columns: readonly string[], detail: string) {
    super(detail, {
      errors: [{ pointer: '#/mapping', code: 'required', detail: 'is needed for these columns' }],
      members: { organizationId, columns: columns.slice(0, 100) },
    });
  }
}

export class MappingIsNotValid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'mapping_not_valid';

  constructor(errors: readonly FieldError[]) {
    super('The mapping does not fit the file.', { errors });
  }
}

/** Another import of the organization, or too many of others, run for longer than a caller is kept waiting. */
export class ImportIsRunning extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'import_running';

  constructor() {
    super('Another import is running. Send the file again when it is done.', { retryAfterSeconds: 10 });
  }
}

/** The staged rows are gone: PostgreSQL crashed or failed over, or the import stood still for so long that it was taken for dead. */
export class ImportIsInterrupted extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'import_interrupted';

  constructor() {
    super('The import was interrupted and nothing came in. Send the file again.', { retryAfterSeconds: 5 });
  }
}

/** `onError` is `abort` and rows failed: nothing came in. The report says which. */
export class ImportIsAborted extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'import_aborted';

  constructor(report: object, failed: number) {
    super(`${failed} rows cannot come in, so none did.`, { members: { report } });
  }
}

/** No such import, or one of an organization the caller does not belong to. */
export class ImportNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'import_not_found';

  constructor() {
    super('There is no such import.');
  }
}

/** They hold people's data and are kept for a few days only. */
export class FailedRowsAreErased extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'failed_rows_erased';

  constructor() {
    super('The failed rows of this import are not kept any more. Import the file again to see them.');
  }
}

/** An answer kept for repetition that told about somebody who was erased since. */
export class ImportReportHasChanged extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'import_report_changed';

  /** @param importId null of one that brought nothing in */
  constructor(importId: string | null) {
    super(
      importId === null
        ? 'Nothing came in; what was answered is not kept any more.'
        : `The import was done; what was answered is not kept any more. See /api/contacts/imports/${importId}.`,
    );
  }
}
