import { randomUUID } from 'node:crypto';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import type { Executor } from '#libs/database';
import { Database } from '#libs/database';
import { organizationsConcerned } from '../context/request-context.js';
import { HttpProblem } from '../problems/problem.js';
import { problemOf } from '../problems/problem-of.js';
import { wordsFor } from '../problems/status-words.js';
import { idempotencyKey, requestFingerprint, scopedKey } from './idempotency-key.js';
import { IdempotencyKeyIsTaken, IdempotentRequestIsRunning } from './idempotency.errors.js';
import { IdempotencyStore, LEASE_SECONDS } from './idempotency.store.js';
import { isFinal, isWorthRepeating, mayHear, refusal, replay, success } from './stored-response.js';

const ATTEMPTS = 5;

/** Two renewals may fail before the lease ends. */
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;

/** The key of a running request, and who may finish it. */
export interface HeldKey {
  readonly key: Buffer;
  readonly owner: string;
}

/**
 * Runs a handler once per Idempotency-Key. The key is claimed in a transaction of its own; the handler's
 * effect and its stored answer commit together, so that after a crash either both are there or neither.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  protected readonly store: IdempotencyStore;

  constructor(protected readonly database: Database) {
    this.store = new IdempotencyStore(database);
  }

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const key = idempotencyKey(http.getRequest<Request>());
    if (key === undefined) return next.handle();
    return this.once(key, http.getRequest<Request>(), http.getResponse<Response>(), next);
  }

  private async once(
    name: string,
    request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const key = scopedKey(request, name);
    const owner = randomUUID();
    const claim = await this.store.claim(key, requestFingerprint(request), owner);
    switch (claim.outcome) {
      case 'mine':
        return from(this.run({ key, owner }, request, response, next));
      case 'running':
        throw new IdempotentRequestIsRunning();
      case 'another-request':
        throw new IdempotencyKeyIsTaken();
      case 'done':
        if (!mayHear(claim.response, request)) throw new HttpProblem({ status: 404, ...wordsFor(404) });
        return replay(claim.response, response);
    }
  }

  private async run(
    held: HeldKey,
    request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    const renewal = setInterval(() => {
      // A lost lease is noticed when the answer is stored.
      this.store.renew(held.key, held.owner, RENEW_MS).catch(() => undefined);
    }, RENEW_MS);
    try {
      return await this.repeating(() => this.effect(held, request, response, next));
    } catch (error) {
      await this.afterFailure(held, error);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  protected effect(
    held: HeldKey,
    _request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    return this.database.transaction(async (transaction) => {
      const body: unknown = await firstValueFrom(next.handle(), { defaultValue: undefined });
      await this.keep(transaction, held, response, body);
      return body;
    });
  }

  /** @throws IdempotentRequestIsRunning when the lease ran out and somebody else has the key */
  protected async keep(executor: Executor, { key, owner }: HeldKey, response: Response, body: unknown) {
    const answer = success(response, body, organizationsConcerned());
    const kept = await this.store.complete(executor, key, owner, answer);
    if (!kept) throw new IdempotentRequestIsRunning();
  }

  /** A lost race inside the effect's transaction can only be decided anew in another transaction. */
  private async repeating<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt >= ATTEMPTS || !isWorthRepeating(error)) throw error;
      }
    }
  }

  /** A final refusal is kept like a success; anything else frees the key. Neither may hide the failure itself. */
  private async afterFailure({ key, owner }: HeldKey, error: unknown): Promise<void> {
    const problem = problemOf(error);
    const settled = isFinal(problem.status) && !isWorthRepeating(error);
    const settle = settled
      ? this.store.complete(this.database, key, owner, refusal(problem))
      : this.store.release(key, owner);
    await settle.catch(() => undefined);
  }
}
