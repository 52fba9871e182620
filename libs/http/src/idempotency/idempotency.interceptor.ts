import { randomUUID } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { Database, type Executor } from '#libs/database';
import { whileRenewed } from '#libs/due-work';
import { HttpConfig } from '../context/http.config.js';
import { affectedOrganizations } from '../context/request-context.js';
import { HttpProblem } from '../problems/problem.js';
import { problemOf } from '../problems/problem-of.js';
import { textsFor } from '../problems/status-texts.js';
import { idempotencyKey, requestFingerprint, scopedKey } from './idempotency-key.js';
import { WorkInFlight } from '../context/work-in-flight.js';
import {
  IdempotencyKeyIsTaken,
  IdempotentRequestIsRunning,
  isFinal,
  isRetryable,
  keptHeadersOf,
  mayReceive,
  refusal,
  replay,
  success,
} from './stored-response.js';
import { type ClaimedKey, IdempotencyStore, isLeaseLost, LEASE_SECONDS } from './idempotency.store.js';

const ATTEMPTS = 5;

/** Metadata of a handler: the subject of its stored responses. */
export const SUBJECT = Symbol('subject of stored responses');

const LEASE_MS = LEASE_SECONDS * 1_000;
/** A renewal may take as long. */
const RENEW_WITHIN_MS = LEASE_MS / 3;

/**
 * Runs a handler once per Idempotency-Key. The key is claimed in a separate transaction. The handler's
 * effect and its stored response commit together, so that a crash leaves both or neither.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  protected readonly store: IdempotencyStore;

  constructor(
    protected readonly database: Database,
    private readonly work: WorkInFlight,
    private readonly config: HttpConfig,
  ) {
    this.store = new IdempotencyStore(database);
  }

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const key = idempotencyKey(http.getRequest<Request>());
    if (key === undefined) return next.handle();
    const subject = (Reflect.getMetadata(SUBJECT, context.getHandler()) as string | undefined) ?? '';
    return this.runOnce({ key, subject }, http.getRequest<Request>(), http.getResponse<Response>(), next);
  }

  private async runOnce(
    { key: name, subject }: { key: string; subject: string },
    request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const key = scopedKey(request, name);
    const owner = randomUUID();
    const claim = await this.store.claim(key, requestFingerprint(request, this.config.cursorSecret), owner);
    switch (claim.outcome) {
      case 'mine':
        // It is finished also without its client.
        return from(this.work.track(this.run({ key, owner, subject }, request, response, next)));
      case 'running':
        throw new IdempotentRequestIsRunning();
      case 'another-request':
        throw new IdempotencyKeyIsTaken();
      case 'done':
        if (!mayReceive(claim.response, request)) throw new HttpProblem({ status: 404, ...textsFor(404) });
        return replay(claim.response, response);
    }
  }

  private async run(
    held: ClaimedKey,
    request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    const renew = () => this.store.renew(held.key, held.owner, RENEW_WITHIN_MS);
    // The signal is not needed: a lost lease is detected when the response is stored.
    return whileRenewed({ leaseMs: LEASE_MS, renew }, async () => {
      try {
        return await this.withRetries(() => this.effect(held, request, response, next));
      } catch (error) {
        await this.afterFailure(held, response, error);
        throw error;
      }
    });
  }

  /** The response is stored in the round trip of the commit. @throws IdempotentRequestIsRunning as `saveResponse` */
  protected async effect(
    held: ClaimedKey,
    _request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    let isLast = false;
    try {
      return await this.database.transaction(async (transaction) => {
        const body: unknown = await firstValueFrom(next.handle(), { defaultValue: undefined });
        this.store.completeLast(transaction, held, success(response, body, affectedOrganizations()));
        isLast = true;
        return body;
      });
    } catch (error) {
      throw isLast && isLeaseLost(error) ? new IdempotentRequestIsRunning() : error;
    }
  }

  /** @throws IdempotentRequestIsRunning when the lease expired and another request has the key */
  protected async saveResponse(executor: Executor, held: ClaimedKey, response: Response, body: unknown) {
    const answer = success(response, body, affectedOrganizations());
    const kept = await this.store.complete(executor, held, answer);
    if (!kept) throw new IdempotentRequestIsRunning();
  }

  /** A serialization failure or deadlock needs a new transaction. */
  private async withRetries<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  }

  /** Stores a final refusal like a success; frees the key after any other failure. Errors here must not hide `error`. */
  private async afterFailure(held: ClaimedKey, response: Response, error: unknown): Promise<void> {
    const problem = problemOf(error);
    const settle = isFinal(error, problem.status)
      ? this.store.complete(this.database, held, refusal(problem, keptHeadersOf(response)))
      : this.store.release(held.key, held.owner);
    await settle.catch(() => undefined);
  }
}
