import type { Executor } from '#libs/database';
import { statement } from '#libs/database';
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

/**
 * Responses of processes of a former release, which name no subject or no ids. $1, $2 as above, $3 texts in the body.
 * Remove it and `formerTexts` one release after the first one that stores subjects: its rolling update ends that release's
 * processes, and their responses expire after 24 hours.
 */
export const ERASE_FORMER = statement(
  'http_erase_former_responses',
  `UPDATE http.idempotent_request SET ${ERASED}
   WHERE (ids @> ARRAY[$1::uuid] OR (ids IS NULL AND response IS NOT NULL)) AND subject IS NULL
     AND (SELECT bool_and(position(text IN response->>'body') > 0) FROM unnest($3::text[]) AS text)`,
);

export interface ResponsesToErase {
  /** A UUID in the body. */
  readonly id: string;
  /** Only of routes that declare this subject; of all routes when omitted. */
  readonly subject?: string;
  /** What the bodies contain that processes of a former release stored without a subject: all texts of one of the lists. */
  readonly formerTexts?: readonly (readonly string[])[];
}

/** Replaces stored responses with the error. A repeated request must neither return erased data nor create it again. */
export async function eraseStoredResponses(
  executor: Executor,
  { id, subject, formerTexts = [[]] }: ResponsesToErase,
  instead: Error,
): Promise<void> {
  const response = JSON.stringify(refusal(problemOf(instead)));
  if (subject === undefined) await executor.query(ERASE_BY_ID, [id, response]);
  else await executor.query(ERASE_BY_SUBJECT, [id, response, subject]);
  for (const texts of formerTexts) await executor.query(ERASE_FORMER, [id, response, [id, ...texts]]);
}
