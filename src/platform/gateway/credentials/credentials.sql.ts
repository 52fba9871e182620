import { statement } from '#libs/database';

/** The members of `CredentialDto`. */
export const CREDENTIAL_COLUMNS = `id, provider, CASE WHEN organization_id IS NULL THEN 'platform' ELSE 'organization' END AS scope,
  organization_id AS "organizationId", position, label, hint, project, enabled, failing_since AS "failingSince",
  CASE WHEN breaker_open_until > now() THEN coalesce(breaker_reason, 'unknown') END AS "heldBack",
  CASE WHEN isfinite(breaker_open_until) AND breaker_open_until > now() THEN breaker_open_until END AS "heldBackUntil",
  (SELECT coalesce(json_agg(json_build_object('model', b.model, 'reason', b.reason, 'until',
            to_char(b.open_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY b.model), '[]')
     FROM gateway.model_breaker b
    WHERE b.credential_id = credential.id AND b.open_until > now()) AS "heldBackModels",
  checked_at AS "checkedAt", check_result AS "checkResult", version, created_at AS "createdAt", rotated_at AS "rotatedAt"`;

export const FIND = statement(
  'gateway_find_credential',
  `SELECT ${CREDENTIAL_COLUMNS} FROM gateway.credential WHERE id = $1 AND deleted_at IS NULL`,
);
/** Locked until the transaction ends. $1 id */
export const LOCK = statement(
  'gateway_lock_credential',
  `SELECT ${CREDENTIAL_COLUMNS} FROM gateway.credential WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
);
export const FIND_SEALED = statement(
  'gateway_find_sealed_credential',
  `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret
     FROM gateway.credential WHERE id = $1 AND deleted_at IS NULL`,
);
/** $1 organization, null: platform; $2 after; $3 count; $4 provider or null */
export const LIST = statement(
  'gateway_list_credentials',
  `SELECT ${CREDENTIAL_COLUMNS} FROM gateway.credential
    WHERE organization_id IS NOT DISTINCT FROM $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id > $2)
      AND ($4::text IS NULL OR provider = $4)
    ORDER BY id LIMIT $3`,
);
/** Serializes additions to one list, so that its length is bounded. $1 provider and organization */
export const LOCK_LIST = `SELECT pg_advisory_xact_lock(hashtextextended('gateway.credential ' || $1, 0))`;
/** $1 provider, $2 organization or null */
export const COUNT = statement(
  'gateway_count_credentials',
  `SELECT count(*)::int AS count, coalesce(max(position), 0) AS last FROM gateway.credential
    WHERE provider = $1 AND organization_id IS NOT DISTINCT FROM $2 AND deleted_at IS NULL`,
);
export const INSERT = statement(
  'gateway_insert_credential',
  `INSERT INTO gateway.credential
     (id, provider, organization_id, position, label, data_key, secret, hint, project, enabled, created_by)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   RETURNING ${CREDENTIAL_COLUMNS}`,
);
/** $1 id; $2 label, $3 project, $4 position, $5 enabled: null leaves the value */
export const UPDATE = statement(
  'gateway_update_credential',
  `UPDATE gateway.credential SET label = coalesce($2, label), project = coalesce($3, project),
          position = coalesce($4, position), enabled = coalesce($5, enabled), version = version + 1
    WHERE id = $1 RETURNING ${CREDENTIAL_COLUMNS}`,
);
/** What was learned about a secret is not true of another one. $1 id */
const FORGET_MODELS = 'WITH forgotten AS (DELETE FROM gateway.model_breaker WHERE credential_id = $1)';
/** $1 id, $2 data key, $3 secret, $4 hint */
export const ROTATE = statement(
  'gateway_rotate_credential',
  `${FORGET_MODELS}
   UPDATE gateway.credential SET data_key = $2, secret = $3, hint = $4, rotated_at = now(), version = version + 1,
          failing_since = NULL, breaker_open_until = NULL, breaker_reason = NULL, breaker_failures = 0, checked_at = NULL,
          check_result = NULL
    WHERE id = $1 RETURNING ${CREDENTIAL_COLUMNS}`,
);
/** An object of its account, or an operation that can have created one or still can. $1 id */
export const HAS_PAYMENTS = statement(
  'gateway_credential_has_any_payments',
  `SELECT id FROM gateway.payment_account_object WHERE credential_id = $1
    UNION ALL
   SELECT id::text FROM gateway.payment_operation WHERE credential_id = $1 AND state IN ('running', 'unknown', 'unresolved')
    LIMIT 1`,
);
/** The secret is erased; the row stays for usage and audit. $1 id */
export const REMOVE = statement(
  'gateway_remove_credential',
  `${FORGET_MODELS}
   UPDATE gateway.credential SET deleted_at = now(), data_key = '', secret = '', hint = '', check_result = NULL,
          version = version + 1
    WHERE id = $1`,
);
/** $1 prefix of the newest key, $2 after, $3 count */
export const SEALED_WITH_FORMER_KEY = statement(
  'gateway_credentials_of_former_keys',
  `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey" FROM gateway.credential
    WHERE deleted_at IS NULL AND NOT starts_with(data_key, $1) AND ($2::uuid IS NULL OR id > $2)
    ORDER BY id LIMIT $3`,
);
/** Only if it has not changed. $1 id, $2 former data key, $3 new data key */
export const RESEAL = statement(
  'gateway_reseal_credential',
  `UPDATE gateway.credential SET data_key = $3 WHERE id = $1 AND data_key = $2 RETURNING id`,
);
