import { statement } from '#libs/database';

/** Longer than two calls to the provider. */
const LEASE = `interval '60 seconds'`;
/** The provider keeps results of keys for at least 24 hours. Later, a repetition would be a second effect. */
const REPEATABLE = `payment_operation.created_at > clock_timestamp() - interval '23 hours'`;
const LIVE = `('running', 'unknown')`;

const COLUMNS = `id, application_id AS "applicationId", application, organization_id AS "organizationId", user_id AS "userId",
  credential_id AS "credentialId", kind, target, request, request_hash AS "requestHash", state, attempts,
  key_digest AS "keyDigest", account, due_at <= clock_timestamp() AS "isDue", ${REPEATABLE} AS "isRepeatable", result, failure, object_id AS "objectId",
  created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Its effect is still possible and not seen. */
const OPEN = `state IN ${LIVE} AND object_id IS NULL`;
/** Until the operation is stored, its credential cannot be deleted: a deletion locks the row first, and then looks for operations. */
export const HOLD_CREDENTIAL = statement(
  'gateway_hold_payment_credential',
  `SELECT id FROM gateway.credential WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE`,
);
/**
 * An object is changed by one operation at a time, whichever credential of its account is used: a repetition of an older one must not
 * overwrite a newer one.
 */
export const INSERT = statement(
  'gateway_insert_exclusive_payment_operation_of_target',
  `INSERT INTO gateway.payment_operation
     (id, application_id, application, organization_id, user_id, credential_id, kind, target, request, request_hash,
      caller_key, due_at, is_exclusive)
   SELECT $1::uuid, $2::uuid, $3::text, $4::uuid, $5::uuid, $6::uuid, $7::text, $8::text, $9::jsonb, $10::text, $11::text, clock_timestamp() + ${LEASE},
          $8::text IS NOT NULL
    WHERE NOT EXISTS (SELECT FROM gateway.payment_operation
                       WHERE application_id = $2::uuid AND organization_id = $4::uuid AND target = $8::text
                         AND ${OPEN})
   ON CONFLICT DO NOTHING
   RETURNING ${COLUMNS}`,
);
const OF_CALLER = `application_id = $1 AND organization_id = $2`;
export const BY_KEY = statement(
  'gateway_payment_operation_by_key',
  `SELECT ${COLUMNS} FROM gateway.payment_operation WHERE ${OF_CALLER} AND caller_key = $3`,
);
export const BY_ID = statement(
  'gateway_payment_operation_by_id',
  `SELECT ${COLUMNS} FROM gateway.payment_operation WHERE ${OF_CALLER} AND id = $3`,
);
export const OPEN_ON_TARGET = statement(
  'gateway_open_payment_operation_of_target',
  `SELECT id FROM gateway.payment_operation
    WHERE ${OF_CALLER} AND target = $3 AND ${OPEN} ORDER BY created_at LIMIT 1`,
);
export const TAKE = statement(
  'gateway_take_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'running', attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE}
    WHERE id = $1 AND attempts = $2 AND ${REPEATABLE} AND request IS NOT NULL
      AND (state = 'unknown' OR (state = 'running' AND due_at <= clock_timestamp()))
   RETURNING ${COLUMNS}`,
);
export const TAKE_DUE = `
  UPDATE gateway.payment_operation
     SET state = 'running', attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE}
   WHERE id IN (SELECT id FROM gateway.payment_operation
                 WHERE state IN ${LIVE} AND due_at <= clock_timestamp() AND request IS NOT NULL AND ${REPEATABLE}
                 ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;
/** Those whose process ended before it knew what to send: nothing was sent. */
export const DISCARD_UNSENT = statement(
  'gateway_discard_unsent_payment_operations',
  `DELETE FROM gateway.payment_operation
    WHERE state IN ${LIVE} AND request IS NULL AND due_at <= clock_timestamp() RETURNING id`,
);
export const GIVE_UP = `
  UPDATE gateway.payment_operation SET state = 'unresolved', request = NULL, finished_at = clock_timestamp()
   WHERE state IN ${LIVE} AND due_at <= clock_timestamp() AND NOT (${REPEATABLE})
  RETURNING id, kind`;
export const DELETE_OLD = `
  DELETE FROM gateway.payment_operation
   WHERE id IN (SELECT id FROM gateway.payment_operation
                 WHERE created_at < now() - interval '30 days' AND state NOT IN ${LIVE} LIMIT 1000)`;
/** The last attempt only, and only while the operation is open: a result is stored once. */
const LAST_ATTEMPT = `id = $1 AND attempts = $2 AND state = 'running'`;
export const FINISH = statement(
  'gateway_finish_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'done', result = $3, object_id = $4, request = CASE WHEN $5 THEN request END,
          finished_at = clock_timestamp()
    WHERE ${LAST_ATTEMPT} RETURNING id`,
);
export const REFUSE = statement(
  'gateway_refuse_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'failed', failure = $3, request = NULL, finished_at = clock_timestamp() WHERE ${LAST_ATTEMPT}`,
);
/** Before the first call, within the lease. */
export const COMPLETE = statement(
  'gateway_complete_payment_operation',
  `UPDATE gateway.payment_operation SET request = $3, due_at = clock_timestamp() + ${LEASE}
    WHERE ${LAST_ATTEMPT} AND due_at > clock_timestamp() RETURNING ${COLUMNS}`,
);
/** Not after the lease: another process may have the operation. */
export const ENTER = statement(
  'gateway_enter_payment_operation',
  `UPDATE gateway.payment_operation SET key_digest = $3, account = coalesce($4, account)
    WHERE ${LAST_ATTEMPT} AND due_at > clock_timestamp() RETURNING id`,
);
export const ABANDON = statement(
  'gateway_abandon_payment_operation',
  `UPDATE gateway.payment_operation SET state = 'unresolved', request = NULL, finished_at = clock_timestamp() WHERE ${LAST_ATTEMPT}`,
);
export const POSTPONE = statement(
  'gateway_postpone_payment_operation',
  `UPDATE gateway.payment_operation
      SET state = 'unknown', due_at = clock_timestamp() + least(7200, 5 * 2 ^ least(attempts, 16)) * interval '1 second'
    WHERE ${LAST_ATTEMPT}`,
);
/** Only the first attempt: an earlier one can have had the effect. */
export const FORGET = statement(
  'gateway_forget_payment_operation',
  `DELETE FROM gateway.payment_operation WHERE ${LAST_ATTEMPT} AND attempts = 1`,
);
