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

export class FileIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_missing';

  constructor() {
    super('Send the CSV file as the part `file` of multipart/form-data.', {
      errors: [{ pointer: '#/file', code: 'required', detail: 'is required' }],
    });
  }
}

/** 400 and not 413: the closed list of this route has no other status for it. */
export class FileIsTooLarge extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_too_large';

  constructor(limitBytes: number) {
    super(`The file is larger than ${limitBytes} bytes. Split it and send the parts.`, {
      errors: [{ pointer: '#/file', code: 'too_large', detail: `must be ${limitBytes} bytes at most` }],
      members: { limitBytes },
    });
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

/** No column says what it holds. Names the columns there are, so that a mapping can be made from the answer. */
export class ColumnsAreNotRecognized extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'columns_not_recognized';

  constructor(columns: readonly string[], detail: string) {
    super(detail, {
      errors: [{ pointer: '#/mapping', code: 'required', detail: 'is needed for these columns' }],
      members: { columns: columns.slice(0, 100) },
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
