import { statement } from '#libs/database';
import { MOVE } from '../ledger/settle.sql.js';
import { COPIED, COUNTED, columnsOf } from '../rollups/measures.sql.js';
import { USAGE_COLUMNS } from '../spend/quantities.js';
import { countedBy } from '../spend/spend-scopes.sql.js';

/** Of an attempt; the audit has all. */
const MOST_SHOWN = 50;

/** A `StoredVersion` as JSON: costs are text, because numbers of JSON cannot hold them exactly. @param row SQL name of a row */
const versionOf = (
  row: string,
) => `json_build_object('state', ${row}.state, 'cost', ${row}.cost::text, 'usage',
    CASE WHEN num_nonnulls(${columnsOf(row, Object.values(USAGE_COLUMNS))}) > 0 THEN json_build_object(${Object.entries(
      USAGE_COLUMNS,
    )
      .map(([name, column]) => `'${name}', coalesce(${row}.${column}, 0)`)
      .join(', ')}) END)`;

const ATTEMPT = `SELECT u.id, u.request_id AS "requestId", u.attempt, u.organization_id AS "organizationId",
    u.application_id AS "applicationId", u.application, u.user_id AS "userId", u.capability, u.provider,
    u.credential_id AS "credentialId", u.model, u.returned_model AS "returnedModel", u.failure,
    u.provider_request_id AS "providerRequestId", u.doubt, u.claim, u.estimate, u.reserved_at AS "reservedAt",
    u.settled_at AS "settledAt", u.corrected_transaction IS NOT NULL AS "wasCorrectedByCall", ${versionOf('u')} AS settled,
    coalesce((SELECT json_agg(json_build_object('number', c.number, 'doubt', c.doubt, 'reason', c.reason, 'correctedBy', c.corrected_by,
        'correctedAt', c.corrected_at, 'version', ${versionOf('c')}) ORDER BY c.number DESC)
      FROM (SELECT * FROM gateway.usage_correction WHERE usage_id = u.id AND sign = 1
        ORDER BY number DESC LIMIT ${MOST_SHOWN}) c), '[]') AS corrections
  FROM gateway.usage u`;

/** $1 id */
export const FIND_ATTEMPT = statement('gateway_find_attempt', `${ATTEMPT} WHERE u.id = $1`);

/** $1 id of the last attempt of the page before, or null, $2 rows */
export const DOUBTED_ATTEMPTS = statement(
  'gateway_doubted_attempts',
  `${ATTEMPT} WHERE u.doubt IS NOT NULL AND u.id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
   ORDER BY u.id DESC LIMIT $2`,
);

/** Corrections and the settlement of one attempt take turns. $1 id */
export const LOCK_ATTEMPT = statement(
  'gateway_lock_attempt',
  'SELECT FROM gateway.usage WHERE id = $1 FOR NO KEY UPDATE',
);

/**
 * Adds the entry that takes the current version back, and the new one, which has its values besides those that change. The call
 * of a swept row cannot settle it any more. After `LOCK_ATTEMPT`.
 * $1 id, $2 columns that change as JSON object, $3 reason, $4 who corrects
 */
export const CORRECT = statement(
  'gateway_correct_usage',
  `WITH current AS MATERIALIZED (
     SELECT u.id, u.doubt, l.number, ${columnsOf('u', COPIED)},
       ${['state', ...COUNTED].map((name) => `CASE WHEN l.number IS NULL THEN u.${name} ELSE l.${name} END AS ${name}`).join(', ')}
     FROM gateway.usage u LEFT JOIN LATERAL (
       SELECT * FROM gateway.usage_correction c WHERE c.usage_id = u.id AND c.sign = 1 ORDER BY c.number DESC LIMIT 1) l ON true
     WHERE u.id = $1
   ), reversed AS (
     INSERT INTO gateway.usage_correction AS c (usage_id, number, sign, ${[...COPIED, 'state', ...COUNTED].join(', ')},
       doubt, reason, corrected_by, corrected_transaction)
     SELECT id, coalesce(number, 0) + 1, -1, ${[...COPIED, 'state', ...COUNTED].join(', ')}, doubt, $3, $4, pg_current_xact_id()
     FROM current RETURNING c AS entry
   ), booked AS (
     INSERT INTO gateway.usage_correction
     SELECT n.* FROM reversed r CROSS JOIN LATERAL jsonb_populate_record(r.entry, $2::jsonb || '{"sign": 1}') n
     RETURNING *
   ), looked_at AS (
     UPDATE gateway.usage u SET doubt = NULL, swept = u.corrected_transaction IS NOT NULL WHERE u.id = $1
   ), settled AS (
     SELECT usage_id AS id, ${columnsOf('b', [...COPIED, 'state', ...COUNTED])} FROM booked b
   ), open AS (
     SELECT id, 0 AS was_reserved, ${countedBy('current')} AS was_spent FROM current
   ), ${MOVE}
   SELECT number FROM booked`,
);
