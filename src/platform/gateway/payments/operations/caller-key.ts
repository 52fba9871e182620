import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { idempotencyKey, problemResponses } from '#libs/http';

/** The Idempotency-Key of the request; null without one. */
export const CallerKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  return idempotencyKey(context.switchToHttp().getRequest<Request>()) ?? null;
});

/** A route that changes something at the payment provider, with one effect for each Idempotency-Key. */
export const ChangesPayments = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes repeating safe, also after 502 and a lost response: the same key has one effect and returns the same result. 1 to 255 visible ASCII characters.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    problemResponses(404, 409, 422, 429, 502),
  );
