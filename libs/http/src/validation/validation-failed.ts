import { domainError, type FieldError } from '#libs/errors';

/** Fields of the request are not valid. Lists all of them. */
export class RequestIsNotValid extends domainError(
  'invalid',
  'validation_failed',
  (errors: readonly FieldError[]) => ({
    detail: errors.length === 1 ? '1 field is not valid.' : `${errors.length} fields are not valid.`,
    errors,
  }),
) {}
