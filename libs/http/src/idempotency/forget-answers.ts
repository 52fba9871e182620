import type { Executor } from '#libs/database';
import { statement } from '#libs/database';
import { problemOf } from '../problems/problem-of.js';
import { refusal } from './stored-response.js';

/** $1 an id in the body, $2 what else it holds, $3 what is answered instead. */
export const FORGET_ANSWERS = statement(
  'http_forget_answers',
  `UPDATE http.idempotent_request SET response = $3
   WHERE (ids @> ARRAY[$1::uuid] OR (ids IS NULL AND response IS NOT NULL))
     AND (SELECT bool_and(position(text IN response->>'body') > 0) FROM unnest($2::text[]) AS text)`,
);

/**
 * Replaces every answer kept for repetition whose body holds the id and all of the texts by the error: what is erased
 * must not be told again, and repeating the request must not create it again.
 * @param id a UUID
 */
export async function forgetAnswers(
  executor: Executor,
  { id, texts = [] }: { id: string; texts?: readonly string[] },
  instead: Error,
): Promise<void> {
  const answer = JSON.stringify(refusal(problemOf(instead)));
  await executor.query(FORGET_ANSWERS, [id, [id, ...texts], answer]);
}
