import { statement } from '#libs/database';
import type { Statement } from '#libs/database';

/** Failures in a row, within WINDOW, that open a breaker. */
export const FAILURES_TO_OPEN = 5;
const WINDOW = `interval '60 s'`;

/** The statements of one kind of breaker. The key comes first in their values. */
export interface CircuitStatements {
  /**
   * One caller over all replicas may try what was held back, until its lease ends: a dead one frees the probe. Returns the end of the
   * lease as text, or null and whether the breaker was closed. Key, milliseconds.
   */
  readonly claim: Statement;
  /** Ends a lease whose call said nothing about the provider. Key, end of the lease. */
  readonly release: Statement;
  /** Key, failures, reason, milliseconds to stay open, whether a probe failed. */
  readonly count: Statement;
  /** A response of the provider. Key. */
  readonly close: Statement;
}

/** The failures counted before, unless they are too old. */
const before = (failures: string, failedAt: string): string =>
  `CASE WHEN ${failedAt} > now() - ${WINDOW} THEN ${failures} ELSE 0 END`;

const ms = (parameter: string): string => `now() + ${parameter}::int * interval '1 ms'`;

/** Of a credential. One that waits for a check (infinity) stays open. */
export const OF_CREDENTIAL: CircuitStatements = {
  claim: statement(
    'gateway_claim_probe',
    `WITH claimed AS (
       UPDATE gateway.credential SET breaker_open_until = ${ms('$2')}
        WHERE id = $1 AND breaker_open_until <= now() RETURNING breaker_open_until::text AS lease)
     SELECT (SELECT lease FROM claimed) AS lease,
            NOT EXISTS (SELECT FROM gateway.credential WHERE id = $1 AND breaker_open_until IS NOT NULL) AS "isClosed"`,
  ),
  release: statement(
    'gateway_release_probe',
    `UPDATE gateway.credential SET breaker_open_until = now()
      WHERE id = $1 AND breaker_open_until = $2::timestamptz`,
  ),
  count: statement(
    'gateway_count_failures',
    `UPDATE gateway.credential SET
       breaker_failures = $2::int + ${before('breaker_failures', 'breaker_failed_at')},
       breaker_failed_at = now(),
       breaker_reason = CASE WHEN opens THEN $3 ELSE breaker_reason END,
       breaker_open_until = CASE WHEN $5 THEN ${ms('$4')}
         WHEN opens THEN greatest(breaker_open_until, ${ms('$4')}) ELSE breaker_open_until END
     FROM (SELECT id AS failed, $5::boolean OR ${FAILURES_TO_OPEN} <=
             $2::int + ${before('breaker_failures', 'breaker_failed_at')} AS opens
           FROM gateway.credential WHERE id = $1 FOR NO KEY UPDATE) AS counted
     WHERE id = failed AND breaker_open_until IS DISTINCT FROM 'infinity'
     RETURNING opens`,
  ),
  close: statement(
    'gateway_close_breaker',
    `UPDATE gateway.credential SET failing_since = NULL, breaker_open_until = NULL, breaker_reason = NULL, breaker_failures = 0
      WHERE id = $1 AND breaker_open_until IS DISTINCT FROM 'infinity'`,
  ),
};

/** Of a model with a credential. */
export const OF_MODEL: CircuitStatements = {
  claim: statement(
    'gateway_claim_probe_of_model',
    `WITH claimed AS (
       UPDATE gateway.model_breaker SET open_until = ${ms('$3')}
        WHERE credential_id = $1 AND model = $2 AND open_until <= now() RETURNING open_until::text AS lease)
     SELECT (SELECT lease FROM claimed) AS lease,
            NOT EXISTS (SELECT FROM gateway.model_breaker
                         WHERE credential_id = $1 AND model = $2 AND open_until IS NOT NULL) AS "isClosed"`,
  ),
  release: statement(
    'gateway_release_probe_of_model',
    `UPDATE gateway.model_breaker SET open_until = now()
      WHERE credential_id = $1 AND model = $2 AND open_until = $3::timestamptz`,
  ),
  count: statement(
    'gateway_count_failures_of_model',
    `INSERT INTO gateway.model_breaker AS b (credential_id, model, failures, failed_at, open_until, reason)
     SELECT $1::uuid, $2::text, $3::int, now(), CASE WHEN opens THEN ${ms('$5')} END, CASE WHEN opens THEN $4::text END
       FROM (SELECT $6::boolean OR $3 >= ${FAILURES_TO_OPEN} AS opens) AS first
     ON CONFLICT (credential_id, model) DO UPDATE SET
       failures = $3 + ${before('b.failures', 'b.failed_at')},
       failed_at = now(),
       reason = CASE WHEN $6 OR $3 + ${before('b.failures', 'b.failed_at')} >= ${FAILURES_TO_OPEN} THEN $4 ELSE b.reason END,
       open_until = CASE WHEN $6 THEN ${ms('$5')}
         WHEN $3 + ${before('b.failures', 'b.failed_at')} >= ${FAILURES_TO_OPEN} THEN greatest(b.open_until, ${ms('$5')})
         ELSE b.open_until END
     RETURNING $6 OR failures >= ${FAILURES_TO_OPEN} AS opens`,
  ),
  close: statement(
    'gateway_close_breaker_of_model',
    `DELETE FROM gateway.model_breaker WHERE credential_id = $1 AND model = $2`,
  ),
};

/** No row: it was open already. $1 credential */
export const OPEN_UNTIL_CHECKED = statement(
  'gateway_open_until_checked',
  `UPDATE gateway.credential SET breaker_open_until = 'infinity', breaker_reason = 'money'
    WHERE id = $1 AND breaker_open_until IS DISTINCT FROM 'infinity' RETURNING organization_id`,
);

/** $1 credential */
export const MARK_FAILING = statement(
  'gateway_mark_failing',
  `UPDATE gateway.credential SET failing_since = now() WHERE id = $1 AND failing_since IS NULL RETURNING id`,
);
