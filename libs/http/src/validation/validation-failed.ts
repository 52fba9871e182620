import type { FieldError } from '#libs/errors';
import { DomainError } from '#libs/errors';

/** The request breaks the rules of its own fields; says which ones, all at once. */
export class RequestIsNotValid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';

  constructor(errors: readonly FieldError[]) {
    super(errors.length === 1 ? '1 field is not valid.' : `${errors.length} fields are not valid.`, {
      errors,
    });
  }
}
