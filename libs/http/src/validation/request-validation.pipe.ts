import { type ArgumentMetadata, Injectable, type PipeTransform, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { domainError, type FieldError } from '#libs/errors';
import { fieldErrors, inBody, inQuery } from './field-errors.js';

/** Fields of the request are not valid. Lists all of them. */
export class RequestIsNotValid extends domainError(
  'invalid',
  'validation_failed',
  (errors: readonly FieldError[]) => ({
    detail: errors.length === 1 ? '1 field is not valid.' : `${errors.length} fields are not valid.`,
    errors,
  }),
) {}

const PLAIN: readonly unknown[] = [String, Number, Boolean, Array, Object, undefined];

/**
 * Refuses unknown and mistyped fields of bodies. Ignores unknown query parameters, because clients and proxies append them.
 * @throws RequestIsNotValid with every invalid field
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  private readonly body = pipe(true, (errors) => new RequestIsNotValid(fieldErrors(errors, inBody)));
  private readonly query = pipe(false, (errors) => new RequestIsNotValid(fieldErrors(errors, inQuery)));

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type === 'query') return this.query.transform(value, metadata);
    if (metadata.type !== 'body') return value;
    if (!PLAIN.includes(metadata.metatype)) assertObject(value);
    return this.body.transform(value, metadata);
  }
}

/** class-transformer would convert an array to a list of DTOs. */
function assertObject(value: unknown): void {
  if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))) return;
  throw new RequestIsNotValid([{ pointer: '#', code: 'not_an_object', detail: 'must be a JSON object' }]);
}

function pipe(refuseUnknown: boolean, exceptionFactory: (errors: ValidationError[]) => RequestIsNotValid) {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: refuseUnknown,
    forbidUnknownValues: true,
    validationError: { target: false, value: true },
    exceptionFactory,
  });
}
