import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { jsonBytesOf, largeJsonOf, receiveLargeJson } from '#libs/http';
import { attributionOf } from '../../access/current-access.js';
import { AiCallsConfig } from '../ai-calls.config.js';
import { BodyIsTooLarge } from '../ai.errors.js';
import { Slots } from '../calls/admit/slots.js';

/** @param held disposed when both the handler has ended and the response is closed: one can go on without the other */
export function heldUntilEnd<T>(handled: Observable<T>, response: Response, held: Disposable): Observable<T> {
  const freeAfterBoth = afterBoth(() => held[Symbol.dispose]());
  if (response.closed) freeAfterBoth();
  else response.once('close', freeAfterBoth);
  return handled.pipe(finalize(freeAfterBoth));
}

/** Called by each of two ends. */
function afterBoth(free: () => void): () => void {
  let missing = 2;
  return () => {
    missing -= 1;
    if (missing === 0) free();
  };
}

/** Smaller bodies are small compared with what a call itself takes, some 70 KiB (docs/performance.md). */
const LEAST_COUNTED_BYTES = 4_096;

/**
 * Reads JSON bodies above the usual limit, which have images, when the caller is known. The bytes of these and of usual bodies count in the
 * budget of the process until the call has ended and the response is closed: a stream keeps its request, and a call with a key goes on
 * without its caller.
 */
@Injectable()
export class ReceiveLargeBody implements NestInterceptor {
  constructor(
    private readonly config: AiCallsConfig,
    private readonly slots: Slots,
  ) {}

  /** @throws BodyIsTooLarge, TooManyBytes, as `receiveLargeJson` */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const bytes = jsonBytesOf(request);
    if (bytes < LEAST_COUNTED_BYTES) return next.handle();
    const isUnread = largeJsonOf(request) !== null;
    const { maxBodyBytes } = this.config;
    if (isUnread && bytes > maxBodyBytes) throw new BodyIsTooLarge(maxBodyBytes);
    using scope = new DisposableStack();
    scope.use(this.slots.bodyBytes(attributionOf(request).organizationId, bytes));
    if (isUnread) request.body = await receiveLargeJson(request);
    return heldUntilEnd(next.handle(), response, scope.move());
  }
}
