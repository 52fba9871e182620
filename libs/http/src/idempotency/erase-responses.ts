import type { Executor } from '#libs/database';
import { statement } from '#libs/database';
import { problemOf } from '../problems/problem-of.js';
import { refusal } from './stored-response.js';

/** $1 an id in the body, $2 further texts in it, $3 the replacement. */
export const ERASE_RESPONSES = statement(
  'http_forget_answers',
  `UPDATE http.idempotent_request SET response = $3
   WHERE (ids @> ARRAY[$1::uuid] OR (ids IS NULL AND response IS NOT NULL))
     AND (SELECT bool_and(position(text IN response->>'body') > 0) FROM unnest($2::text[]) AS text)`,
);

/**
 * Replaces every stored response whose body contains the id and all texts with the error. A repeated request must neither
 * return erased data nor create it again.
 * @param id a UUID
 */
export async function eraseStoredResponses(
  executor: Executor,
  { id, texts = [] }: { id: string; texts?: readonly string[] },
  instead: Error,
): Promise<void> {
  const answer = JSON.stringify(refusal(problemOf(instead)));
  await executor.query(ERASE_RESPONSES, [id, [id, ...texts], answer]);
}
