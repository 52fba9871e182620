import { type Executor, statement } from '#libs/database';
import { problemOf } from '../problems/problem-of.js';
import { refusal } from './stored-response.js';

/** An erased response has no ids and no subject, so that another erasure does not find it. */
const ERASED = `response = $2, ids = '{}', subject = ''`;

/** $1 an id in the body, $2 the replacement. */
export const ERASE_BY_ID = statement(
  'http_erase_responses_by_id',
  `UPDATE http.idempotent_request SET ${ERASED} WHERE ids @> ARRAY[$1::uuid]`,
);

/** $1, $2 as above, $3 the subject. */
export const ERASE_BY_SUBJECT = statement(
  'http_erase_responses_by_subject',
  `UPDATE http.idempotent_request SET ${ERASED}
   WHERE ids @> ARRAY[$1::uuid] AND subject = $3 AND subject <> ''`,
);

export interface ResponsesToErase {
  /** A UUID in the body. */
  readonly id: string;
  /** Only of routes that declare this subject; of all routes when omitted. */
  readonly subject?: string;
}

/** Replaces stored responses with the error. A repeated request must neither return erased data nor create it again. */
export async function eraseStoredResponses(
  executor: Executor,
  { id, subject }: ResponsesToErase,
  instead: Error,
): Promise<void> {
  const response = JSON.stringify(refusal(problemOf(instead)));
  if (subject === undefined) await executor.query(ERASE_BY_ID, [id, response]);
  else await executor.query(ERASE_BY_SUBJECT, [id, response, subject]);
}
