import type { Response } from 'express';
import { DomainError, type ErrorKind } from '#libs/errors';
import { rootFrom, sendPage, problemResponse } from '#libs/http';
import { html, markOf } from '#libs/pages';

/** Errors that the person can act on are shown on a page; all others are problems, as on every route. */
const STATUS: Partial<Record<ErrorKind, number>> = {
  invalid: 400,
  forbidden: 403,
  conflict: 409,
  unavailable: 503,
};

export interface Result {
  readonly title: string;
  readonly sentence: string;
  readonly next?: string;
}

const CLOSE = 'You can close this window.';

export function showPage(
  response: Response,
  status: number,
  { title, sentence, next = CLOSE }: Result,
): void {
  const content = html`<main class="card narrow">
    ${markOf(status < 400 ? 'done' : 'refused')}
    <h1>${title}</h1>
    <p>${sentence}</p>
    <p>${next}</p>
    <p class="quiet"><a href="${rootFrom(response.req.path)}">About this service</a></p>
  </main>`;
  sendPage(response, status, { title, content });
}

/** @throws the error, if it is not for a person */
export function showNothingConnected(response: Response, error: unknown): void {
  const status = error instanceof DomainError ? STATUS[error.kind] : undefined;
  if (!status) throw error;
  if (status === 503) response.setHeader('Retry-After', '5');
  const next = 'Go back to where you started and connect the account again, or close this window.';
  showPage(response, status, {
    title: 'Nothing was connected',
    sentence: (error as DomainError).message,
    next,
  });
}

/** The OpenAPI response of a route that a browser opens: a page for a person, or a problem. */
export function problemOrPage(status: number) {
  const problem = problemResponse(status);
  return { ...problem, content: { ...problem.content, 'text/html': { schema: { type: 'string' } } } };
}
