import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  Logger,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { firstValueFrom } from 'rxjs';
import { type Executor, repeated, WAITS_MS } from '#libs/database';
import { IdempotentRequestIsRunning } from './stored-response.js';
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
  private readonly logger = new Logger(LongWorkInterceptor.name);

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
    if (!isKept) await this.keep(held, response, body);
    return body;
  }

  /**
   * The handler has ended, and its work may have been paid for: from here on only the storing is repeated. A caller gets a response also
   * when it cannot be stored.
   */
  private async keep(held: ClaimedKey, response: Response, body: unknown): Promise<void> {
    try {
      await repeated(() => this.saveResponse(this.database, held, response, body), WAITS_MS.long);
    } catch (error) {
      if (error instanceof IdempotentRequestIsRunning) throw error;
      this.logger.error({ err: error }, 'A response could not be stored. A repetition does the work again.');
      await this.store.release(held.key, held.owner).catch(() => undefined);
    }
  }
}
