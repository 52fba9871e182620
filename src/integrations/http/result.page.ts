import type { Response } from 'express';
import { DomainError } from '#libs/errors';
import type { ErrorKind } from '#libs/errors';
import { escaped, sendPage } from './page.js';

/** Errors that the person can act on are shown on a page; all others are problems, as on every route. */
const STATUS: Partial<Record<ErrorKind, number>> = {
  invalid: 400,
  forbidden: 403,
  conflict: 409,
  unavailable: 503,
};

/** What became of a request: a heading and a sentence. */
export function showPage(response: Response, status: number, title: string, sentence: string): void {
  const content = `<p>${escaped(sentence)}</p>\n<p class="quiet">You can close this window.</p>`;
  sendPage(response, status, { title, content });
}

/** @throws the error, if it is not for a person */
export function showNothingConnected(response: Response, error: unknown): void {
  const status = error instanceof DomainError ? STATUS[error.kind] : undefined;
  if (!status) throw error;
  if (status === 503) response.setHeader('Retry-After', '5');
  showPage(response, status, 'Nothing was connected', (error as DomainError).message);
}
