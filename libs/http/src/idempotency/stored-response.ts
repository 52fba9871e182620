import type { Request, Response } from 'express';
import { type Observable, of } from 'rxjs';
import { domainError, DomainError } from '#libs/errors';
import { StreamHasMoved } from '#libs/event-store';
import { organizationsOf } from '../context/principal.js';
import { currentContext } from '../context/request-context.js';
import { HttpProblem, type Problem, problemBody } from '../problems/problem.js';
import type { StoredResponse } from './idempotency.store.js';

const kept = new WeakMap<Response, Record<string, string>>();

/** Sets a header about how the request was served. Replays of the response by its Idempotency-Key have it too. */
export function setKeptHeader(response: Response, name: string, value: string): void {
  response.setHeader(name, value);
  kept.set(response, { ...kept.get(response), [name]: value });
}

export const keptHeadersOf = (response: Response): Readonly<Record<string, string>> =>
  kept.get(response) ?? {};

/** The first request with the key still runs. */
export class IdempotentRequestIsRunning extends domainError('conflict', 'idempotent_request_running', {
  detail: 'A request with this Idempotency-Key is still running. Ask again in a moment.',
  retryAfterSeconds: 1,
}) {}

/** The key was used before with another body or query. Not the response of the request that this key belongs to. */
export class IdempotencyKeyIsTaken extends domainError('unprocessable', 'idempotency_key_reused', {
  detail: 'This Idempotency-Key was used for a different request. Use a new key for a new request.',
  isFinal: false,
}) {}

/** Headers about the resource, not about one response. Handlers add others by `setKeptHeader`. */
const KEPT_HEADERS = ['location', 'etag', 'link', 'content-disposition'];

/**
 * Responses about credentials, versions, limits, outages and lost connections become outdated; those about the request
 * itself do not. The error says so where its status does not.
 */
export function isFinal(error: unknown, status: number): boolean {
  if (isRetryable(error) || (error instanceof DomainError && !error.isFinal)) return false;
  return status >= 400 && status < 500 && ![401, 403, 408, 412, 429, 499].includes(status);
}

/** PostgreSQL: 40001 serialization failure, 40P01 deadlock. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof StreamHasMoved) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '40001' || code === '40P01';
}

/** @param organizationIds organizations whose data the body contains */
export function success(
  response: Response,
  body: unknown,
  organizationIds: readonly string[],
): StoredResponse {
  const headers: Record<string, string> = { ...keptHeadersOf(response) };
  for (const name of KEPT_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  const text = body === undefined ? null : JSON.stringify(body);
  return { status: response.statusCode, headers, body: text, organizationIds };
}

/** Keeps the id of the first request, so that a replay has the same bytes. */
export function refusal(problem: Problem, kept: Readonly<Record<string, string>> = {}): StoredResponse {
  const body = JSON.stringify(problemBody(problem, currentContext()?.requestId ?? null));
  return { status: problem.status, headers: { ...kept, ...problem.headers }, body };
}

/** False for a caller who left one of the organizations in the response. */
export function mayReceive({ organizationIds = [] }: StoredResponse, request: Request): boolean {
  const own = organizationsOf(request);
  return organizationIds.every((id) => own.includes(id));
}

/** Sends a stored response. Parsing and printing its JSON again gives the same bytes. */
export function replay(stored: StoredResponse, response: Response): Observable<unknown> {
  response.setHeader('Idempotent-Replayed', 'true');
  const body: unknown = stored.body === null ? undefined : JSON.parse(stored.body);
  if (stored.status >= 400) {
    throw new HttpProblem({ ...(body as Problem), headers: stored.headers, storedBody: stored.body ?? '' });
  }
  for (const [name, value] of Object.entries(stored.headers)) response.setHeader(name, value);
  response.status(stored.status);
  return of(body);
}
