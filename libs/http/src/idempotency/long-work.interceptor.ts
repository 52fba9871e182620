import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { firstValueFrom } from 'rxjs';
import type { Executor } from '#libs/database';
import type { HeldKey } from './idempotency.interceptor.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Stores what the request answers through `executor`, so that it commits with the effect. */
export type AnswerKeeper = (executor: Executor, body: unknown) => Promise<void>;

const KEEPER = Symbol('keeper of the answer');
type Kept = Request & { [KEEPER]?: AnswerKeeper };

/** Without an Idempotency-Key there is nothing to store and the function does nothing. */
export const KeepAnswer = createParamDecorator(
  (_: unknown, context: ExecutionContext): AnswerKeeper =>
    context.switchToHttp().getRequest<Kept>()[KEEPER] ?? (() => Promise.resolve()),
);

/** Runs the handler outside of a transaction; the handler opens its own. */
@Injectable()
export class LongWorkInterceptor extends IdempotencyInterceptor {
  protected override async effect(
    held: HeldKey,
    request: Kept,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    let isKept = false;
    request[KEEPER] = async (executor, body) => {
      await this.keep(executor, held, response, body);
      isKept = true;
    };
    const body: unknown = await firstValueFrom(next.handle(), { defaultValue: undefined });
    if (!isKept) await this.keep(this.database, held, response, body);
    return body;
  }
}
