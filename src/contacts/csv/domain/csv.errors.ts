import type { FieldError } from '#libs/errors';
import { DomainError } from '#libs/errors';

/** Bytes that are not text in any encoding: an archive, a spreadsheet, an image. */
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
    super(`“${name}” is not a known encoding. Send a label such as utf-8, windows-1252 or shift_jis.`, {
      errors: [{ pointer: '#/options/encoding', code: 'unknown', detail: 'is not known' }],
    });
  }
}

/** The file is not a table: the header line is missing, there are too many columns, or no usable row. */
export class FileIsNotReadable extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_not_readable';
}

/**
 * No column is recognized. The error lists the columns, so that the caller can write a mapping; without a header these are
 * cells, which are personal data. Therefore it names the organization, too.
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

/** Another import of the organization, or too many others, took longer than the caller waits. */
export class ImportIsRunning extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'import_running';

  constructor() {
    super('Another import is running. Send the file again when it is done.', { retryAfterSeconds: 10 });
  }
}

/** The staged rows are lost: PostgreSQL crashed or failed over, or the import paused until its lease expired. */
export class ImportIsInterrupted extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'import_interrupted';

  constructor() {
    super('The import was interrupted and nothing was imported. Send the file again.', {
      retryAfterSeconds: 5,
    });
  }
}

/** `onError` is `abort` and rows failed: nothing was imported. The report lists the rows. */
export class ImportIsAborted extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'import_aborted';

  constructor(report: object, failed: number) {
    super(`${failed} rows failed, so nothing was imported. Correct them and send the file again.`, {
      members: { report },
    });
  }
}

/** The import does not exist, or belongs to another organization. */
export class ImportNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'import_not_found';

  constructor() {
    super('The import does not exist, or you have no access to it. Check its id.');
  }
}

/** Failed rows are personal data and expire after a few days. */
export class FailedRowsAreErased extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'failed_rows_erased';

  constructor() {
    super('The failed rows of this import have expired. Import the file again to get them.');
  }
}

/** A stored answer that named a contact that was erased since. */
export class ImportReportHasChanged extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'import_report_changed';

  /** @param importId null for an import without imported rows */
  constructor(importId: string | null) {
    super(
      importId === null
        ? 'Nothing was imported. The stored answer was erased.'
        : `The import was done. The stored answer was erased. See /api/contacts/imports/${importId}.`,
    );
  }
}
