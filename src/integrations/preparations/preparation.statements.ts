import { statement } from '#libs/database';
import { keyOf } from '../encryption/secret-box.js';

const COLUMNS = `step, state, extract(epoch FROM now() - began_at)::float8 * 1000 AS "ageMs", waited_ms AS "waitedMs"`;

/** What was prepared of the same content, files and connection is continued; everything else begins again. */
const IS_SAME = `p.connection_id = excluded.connection_id AND p.fingerprint = excluded.fingerprint
       AND p.files IS NOT DISTINCT FROM excluded.files AND p.state IS NOT NULL`;

/** Ids and addresses are erased when the account is disconnected: the attempt that runs then neither writes them again nor commits. */
const OWN = `post_id = $1 AND attempt_id = $2 AND state IS NOT NULL AND NOT EXISTS (
     SELECT FROM integrations.connection c WHERE c.id = connection_id AND c.state = 'disconnected')`;

/** $1 post, $2 attempt, $3 connection, $4 fingerprint, $5 first step, $6 state of a beginning, $7 files. No row: erased or taken back during this attempt. */
export const BEGIN = statement(
  'integrations_begin_preparation',
  `INSERT INTO integrations.publish_preparation AS p (post_id, attempt_id, connection_id, fingerprint, step, state, files)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (post_id) DO UPDATE SET
     attempt_id = excluded.attempt_id, committing = false, updated_at = now(),
     connection_id = excluded.connection_id, fingerprint = excluded.fingerprint,
     files = excluded.files,
     step = CASE WHEN ${IS_SAME} THEN p.step ELSE excluded.step END,
     state = CASE WHEN ${IS_SAME} THEN p.state ELSE excluded.state END,
     began_at = CASE WHEN ${IS_SAME} THEN p.began_at ELSE now() END,
     waited_ms = CASE WHEN ${IS_SAME} THEN p.waited_ms ELSE 0 END,
     restarted = CASE WHEN ${IS_SAME} THEN p.restarted ELSE 0 END
   WHERE (p.attempt_id IS DISTINCT FROM excluded.attempt_id OR p.state IS NOT NULL)
     AND p.taken_back_from IS DISTINCT FROM excluded.attempt_id
   RETURNING ${COLUMNS}`,
);
/** $1 post, $2 attempt, $3 step, $4 state, $5 milliseconds to wait. */
export const SAVE = statement(
  'integrations_save_preparation',
  `UPDATE integrations.publish_preparation SET step = $3, state = $4, updated_at = now(),
     waited_ms = waited_ms + $5::float8::integer
   WHERE ${OWN} RETURNING now() + make_interval(secs => $5::float8 / 1000) AS until`,
);
/** $5: 1 when the network had dropped the steps, else 0. */
export const START_AGAIN = statement(
  'integrations_prepare_again',
  `UPDATE integrations.publish_preparation SET step = $3, state = $4, began_at = now(), updated_at = now(), committing = false,
     restarted = restarted + $5::integer
   WHERE ${OWN} RETURNING restarted`,
);
/** $3 milliseconds. */
export const UNTIL = statement(
  'integrations_preparation_until',
  `SELECT now() + make_interval(secs => $3::float8 / 1000) AS until, waited_ms AS "waitedMs"
   FROM integrations.publish_preparation WHERE ${OWN}`,
);
/** $3 milliseconds to wait, $4 to count. */
export const POSTPONE = statement(
  'integrations_postpone_preparation',
  `UPDATE integrations.publish_preparation SET updated_at = now(), waited_ms = waited_ms + $4::float8::integer
   WHERE ${OWN} RETURNING now() + make_interval(secs => $3::float8 / 1000) AS until`,
);
export const START_COMMIT = statement(
  'integrations_start_commit',
  `UPDATE integrations.publish_preparation SET committing = true, updated_at = now()
   WHERE ${OWN} RETURNING post_id`,
);
/** What was prepared for other content proves nothing. */
export const FIND = statement(
  'integrations_find_preparation',
  `SELECT ${COLUMNS}, extract(epoch FROM now() - updated_at)::float8 * 1000 AS "quietMs"
   FROM integrations.publish_preparation
   WHERE post_id = $1 AND connection_id = $2 AND fingerprint = $3 AND state IS NOT NULL`,
);
/** Concerns the attempt $2 alone: a row of an earlier one says nothing about it. Afterwards it can no longer commit. */
export const RECLAIM = statement(
  'integrations_reclaim_preparation',
  `UPDATE integrations.publish_preparation SET attempt_id = NULL, taken_back_from = $2, updated_at = now()
   WHERE post_id = $1 AND NOT committing AND (attempt_id = $2 OR (attempt_id IS NULL AND taken_back_from = $2))
   RETURNING post_id`,
);
/** $1 posts, $2 for each the fingerprint of the content whose preparation stays; null: none stays. */
export const FORGET = statement(
  'integrations_forget_preparations',
  `DELETE FROM integrations.publish_preparation p USING unnest($1::uuid[], $2::text[]) AS post (id, kept)
   WHERE p.post_id = post.id AND p.fingerprint IS DISTINCT FROM post.kept`,
);
export const ERASE = statement(
  'integrations_erase_preparations',
  'UPDATE integrations.publish_preparation SET state = NULL WHERE connection_id = $1',
);
export const ERASE_OLD = statement(
  'integrations_erase_old_preparations',
  `UPDATE integrations.publish_preparation SET state = NULL
   WHERE state IS NOT NULL AND updated_at < now() - make_interval(secs => $1)`,
);
export const DELETE_OLD = statement(
  'integrations_forget_old_preparations',
  `DELETE FROM integrations.publish_preparation WHERE updated_at < now() - make_interval(secs => $1)`,
);
export const OUTDATED = statement(
  'integrations_outdated_preparations',
  `SELECT post_id AS id, ${keyOf('state')} AS keys, state FROM integrations.publish_preparation
   WHERE state IS NOT NULL AND (${keyOf('state')}, post_id) > ($1, $2::uuid) AND ${keyOf('state')} < $3
   ORDER BY ${keyOf('state')}, post_id LIMIT $4`,
);
export const REENCRYPT = statement(
  'integrations_reencrypt_preparation',
  'UPDATE integrations.publish_preparation SET state = $3 WHERE post_id = $1 AND state = $2 RETURNING post_id',
);
