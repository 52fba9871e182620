import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

const RECEIVED = Symbol('received');
type WithReceived = Request & { [RECEIVED]?: unknown };

/** Attaches the result of an upload interceptor to the request, for its handler. */
export function attachReceivedFile(request: Request, received: unknown): void {
  (request as WithReceived)[RECEIVED] = received;
}

/** Parameter: the value of `attachReceivedFile`. */
export const ReceivedUpload = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown =>
    context.switchToHttp().getRequest<WithReceived>()[RECEIVED],
);
