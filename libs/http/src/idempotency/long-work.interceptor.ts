import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { firstValueFrom } from 'rxjs';
import type { Executor } from '#libs/database';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import type { ClaimedKey } from './idempotency.store.js';

/** Stores the response through `executor`, so that it commits with the effect. */
export type ResponseSaver = (executor: Executor, body: unknown) => Promise<void>;

const SAVER = Symbol('response saver');
type Kept = Request & { [SAVER]?: ResponseSaver };

/** Without an Idempotency-Key the function does nothing. */
export const SaveResponse = createParamDecorator(
  (_: unknown, context: ExecutionContext): ResponseSaver =>
    context.switchToHttp().getRequest<Kept>()[SAVER] ?? (() => Promise.resolve()),
);

/** Runs the handler outside of a transaction; the handler opens its own. */
@Injectable()
export class LongWorkInterceptor extends IdempotencyInterceptor {
  protected override async effect(
    held: ClaimedKey,
    request: Kept,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    let isKept = false;
    request[SAVER] = async (executor, body) => {
      await this.saveResponse(executor, held, response, body);
      isKept = true;
    };
    const body: unknown = await firstValueFrom(next.handle(), { defaultValue: undefined });
    if (!isKept) await this.saveResponse(this.database, held, response, body);
    return body;
  }
}
