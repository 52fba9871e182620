import type { Executor } from '#libs/database';
import { statement } from '#libs/database';
import { problemOf } from '../problems/problem-of.js';
import { refusal } from './stored-response.js';

const FORGET = statement(
  'http_forget_answers',
  `UPDATE http.idempotent_request SET response = $3
   WHERE (SELECT bool_and(position(text IN response->>'body') > 0) FROM unnest($1::text[]) AS text)
     AND ($2::text IS NULL OR regexp_replace(response->>'body', '\\\\(u[0-9a-f]{4}|.)', ' ', 'g') ~* $2)`,
);

/** What a body, as JSON, has to hold. */
export interface AnswersHolding {
  /** Each of them, such as ids. */
  readonly texts: readonly string[];
  /** And what this regular expression of PostgreSQL finds, in upper or lower case; what JSON escapes is a space to it. */
  readonly pattern?: string;
}

/**
 * Replaces every answer kept for repetition that holds it by the error: what is erased must not be told again, and
 * repeating the request must not make it anew. Reads all kept answers; for rare use.
 */
export async function forgetAnswers(
  executor: Executor,
  { texts, pattern }: AnswersHolding,
  instead: Error,
): Promise<void> {
  await executor.query(FORGET, [texts, pattern ?? null, JSON.stringify(refusal(problemOf(instead)))]);
}
