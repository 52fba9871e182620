import {
  applyDecorators,
  type NestInterceptor,
  SetMetadata,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { problemResponses } from '../problems/problem-responses.js';
import { IdempotencyInterceptor, SUBJECT } from './idempotency.interceptor.js';
import { LongWorkInterceptor } from './long-work.interceptor.js';

/**
 * A POST handler that callers may repeat safely with an Idempotency-Key for 24 hours. With a key the
 * handler runs inside one database transaction and again after a serialization failure. It must have no effects outside
 * of the database and must return a JSON value instead of using `@Res()`.
 */
export function Idempotent(): MethodDecorator {
  return idempotentBy(IdempotencyInterceptor);
}

/**
 * Like Idempotent, for work too long for one transaction. The handler opens its own transactions and stores its response
 * in that of the effect, with the function from `@SaveResponse()`. Otherwise the response is stored when the handler ends.
 * @param subject what the responses are about, for `eraseStoredResponses`: when their ids do not name all whose data they hold
 */
export function IdempotentLongWork({ subject }: { subject: string }): MethodDecorator {
  return applyDecorators(SetMetadata(SUBJECT, subject), idempotentBy(LongWorkInterceptor));
}

function idempotentBy(interceptor: Type<NestInterceptor>): MethodDecorator {
  return applyDecorators(
    UseInterceptors(interceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes repeating safe: for 24 hours the same key returns the same response. 1 to 255 visible ASCII characters.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    problemResponses(400, 409, 422),
  );
}
