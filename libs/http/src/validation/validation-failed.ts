import type { FieldError } from '#libs/errors';
import { DomainError } from '#libs/errors';

/** Fields of the request are not valid. Lists all of them. */
export class RequestIsNotValid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';

  constructor(errors: readonly FieldError[]) {
    super(errors.length === 1 ? '1 field is not valid.' : `${errors.length} fields are not valid.`, {
      errors,
    });
  }
}
