import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { problemResponses } from '../problems/problem-responses.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/**
 * A POST handler that callers may repeat safely with an Idempotency-Key, for 24 hours. With a key the
 * handler runs inside one database transaction and may run again when it loses a race, so effects outside
 * of the database do not belong in it; and it must answer by returning a JSON value, not by `@Res()`.
 */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes repeating safe: the same key answers the same for 24 hours. 1 to 255 visible ASCII characters.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    problemResponses(409, 422),
  );
}
