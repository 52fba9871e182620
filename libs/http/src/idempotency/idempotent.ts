import type { NestInterceptor, Type } from '@nestjs/common';
import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { problemResponses } from '../problems/problem-responses.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { LongWorkInterceptor } from './long-work.interceptor.js';

/**
 * A POST handler that callers may repeat safely with an Idempotency-Key, for 24 hours. With a key the
 * handler runs inside one database transaction and may run again when it loses a race, so effects outside
 * of the database do not belong in it; and it must answer by returning a JSON value, not by `@Res()`.
 */
export function Idempotent(): MethodDecorator {
  return idempotentBy(IdempotencyInterceptor);
}

/**
 * Like Idempotent, for work longer than a transaction should be: the handler has transactions of its own and stores its
 * answer in the one of the effect, by the function that `@KeepAnswer()` gives it. What it does not store is stored
 * when it is done.
 */
export function IdempotentLongWork(): MethodDecorator {
  return idempotentBy(LongWorkInterceptor);
}

function idempotentBy(interceptor: Type<NestInterceptor>): MethodDecorator {
  return applyDecorators(
    UseInterceptors(interceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes repeating safe: the same key answers the same for 24 hours. 1 to 255 visible ASCII characters.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    problemResponses(400, 409, 422),
  );
}
