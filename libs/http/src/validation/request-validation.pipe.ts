import { type ArgumentMetadata, Injectable, type PipeTransform, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { fieldErrors, inBody, inQuery } from './field-errors.js';
import { RequestIsNotValid } from './validation-failed.js';

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
