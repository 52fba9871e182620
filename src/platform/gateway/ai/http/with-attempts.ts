import type { Response } from 'express';
import { setKeptHeader } from '#libs/http';
import { type AttemptRecord, type NamedAttempt, shortForm } from '../calls/fallback/attempt-record.js';
import { NoAttemptSucceeded } from '../calls/fallback/no-attempt-succeeded.js';

const HEADER = 'X-Attempts';

export function nameAttempts(response: Response, attempts: readonly NamedAttempt[]): void {
  if (attempts.length > 0 && !response.headersSent) setKeptHeader(response, HEADER, shortForm(attempts));
}

/** Names the attempts in a header, of a success and of a failure. */
export async function withAttempts<T extends { readonly attempts: readonly AttemptRecord[] }>(
  response: Response,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await work();
    nameAttempts(response, answer.attempts);
    return answer;
  } catch (error) {
    if (error instanceof NoAttemptSucceeded) nameAttempts(response, error.attempts);
    throw error;
  }
}
