import type { Executor } from '#libs/database';
import { statement } from '#libs/database';
import { problemOf } from '../problems/problem-of.js';
import { refusal } from './stored-response.js';

const FORGET = statement(
  'http_forget_answers',
  `UPDATE http.idempotent_request SET response = $2 WHERE position($1 IN response->>'body') > 0`,
);

/**
 * Replaces every answer kept for repetition that holds the text, such as an id, by the error: what is erased must not be
 * told again, and repeating the request must not make it anew. Reads all kept answers; for rare use.
 */
export async function forgetAnswers(executor: Executor, text: string, instead: Error): Promise<void> {
  await executor.query(FORGET, [text, JSON.stringify(refusal(problemOf(instead)))]);
}
