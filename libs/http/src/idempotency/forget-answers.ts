import type { Executor } from '#libs/database';
import { statement } from '#libs/database';
import { problemOf } from '../problems/problem-of.js';
import { refusal } from './stored-response.js';

const FORGET = statement(
  'http_forget_answers',
  `UPDATE http.idempotent_request SET response = $2
   WHERE (SELECT bool_and(position(text IN response->>'body') > 0) FROM unnest($1::text[]) AS text)`,
);

/**
 * Replaces every answer kept for repetition whose body holds all of the texts, such as ids, by the error: what is erased
 * must not be told again, and repeating the request must not make it anew. Reads all kept answers; for rare use.
 */
export async function forgetAnswers(
  executor: Executor,
  texts: readonly string[],
  instead: Error,
): Promise<void> {
  await executor.query(FORGET, [texts, JSON.stringify(refusal(problemOf(instead)))]);
}
