import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';

const RECEIVED = Symbol('received');
type WithReceived = Request & { [RECEIVED]?: unknown };

/** Hands what an interceptor made of the file of a request to the handler behind it. */
export function handOver(request: Request, received: unknown): void {
  (request as WithReceived)[RECEIVED] = received;
}

/** What was handed over. */
export const Received = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown =>
    context.switchToHttp().getRequest<WithReceived>()[RECEIVED],
);
