import type { Request, Response } from 'express';
import { of, type Observable } from 'rxjs';
import { StreamHasMoved } from '#libs/event-store';
import { organizationsOf } from '../context/principal.js';
import { currentContext } from '../context/request-context.js';
import type { Problem } from '../problems/problem.js';
import { HttpProblem, problemBody } from '../problems/problem.js';
import type { StoredResponse } from './idempotency.store.js';

/** Headers that say something about the resource, not about this one answer. */
const KEPT_HEADERS = ['location', 'etag', 'link', 'content-disposition'];

/**
 * Answers about credentials, versions, limits, outages and lost connections would be wrong tomorrow; those about the request
 * stay true.
 */
export function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 412, 429, 499].includes(status);
}

/** PostgreSQL: 40001 serialization failure, 40P01 deadlock. */
export function isWorthRepeating(error: unknown): boolean {
  if (error instanceof StreamHasMoved) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '40001' || code === '40P01';
}

/** @param organizationIds those it tells of */
export function success(
  response: Response,
  body: unknown,
  organizationIds: readonly string[],
): StoredResponse {
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  const text = body === undefined ? null : JSON.stringify(body);
  return { status: response.statusCode, headers, body: text, organizationIds };
}

/** With the id of the request it was first said to: a replay is the same bytes. */
export function refusal(problem: Problem): StoredResponse {
  const body = JSON.stringify(problemBody(problem, currentContext()?.requestId ?? null));
  return { status: problem.status, headers: { ...problem.headers }, body };
}

/** A caller who has left one of the organizations that an answer tells of may not hear it again. */
export function mayHear({ organizationIds = [] }: StoredResponse, request: Request): boolean {
  const own = organizationsOf(request);
  return organizationIds.every((id) => own.includes(id));
}

/** Says again what was said. Parsing and printing JSON that was printed before gives the same bytes. */
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
