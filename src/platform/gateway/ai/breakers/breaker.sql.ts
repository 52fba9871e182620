import { statement } from '#libs/database';

/** Failures in a row, within WINDOW, that open a breaker. */
export const FAILURES_TO_OPEN = 5;
const WINDOW = `interval '60 s'`;
/** A probe that gives no result within this time frees the breaker for another one. */
const PROBE = `interval '30 s'`;

/** One caller over all replicas may try a credential whose breaker was open. $1 credential */
export const CLAIM_PROBE = statement(
  'gateway_claim_probe',
  `UPDATE gateway.credential SET breaker_open_until = now() + ${PROBE}
    WHERE id = $1 AND breaker_open_until <= now() RETURNING id`,
);

/** $1 credential, $2 failures, $3 reason, $4 milliseconds to stay open, $5 whether a probe failed */
export const COUNT_FAILURES = statement(
  'gateway_count_failures',
  `UPDATE gateway.credential SET
     breaker_failures = $2::int + CASE WHEN breaker_failed_at > now() - ${WINDOW} THEN breaker_failures ELSE 0 END,
     breaker_failed_at = now(),
     breaker_reason = CASE WHEN opens THEN $3 ELSE breaker_reason END,
     breaker_open_until = CASE WHEN opens
       THEN greatest(breaker_open_until, now() + $4::int * interval '1 ms') ELSE breaker_open_until END
   FROM (SELECT id AS failed, $5::boolean OR ${FAILURES_TO_OPEN} <=
           $2::int + CASE WHEN breaker_failed_at > now() - ${WINDOW} THEN breaker_failures ELSE 0 END AS opens
         FROM gateway.credential WHERE id = $1 FOR NO KEY UPDATE) AS counted
   WHERE id = failed AND breaker_open_until IS DISTINCT FROM 'infinity'
   RETURNING opens`,
);

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

/** A response of the provider. A breaker that waits for a check stays open. $1 credential */
export const CLOSE = statement(
  'gateway_close_breaker',
  `UPDATE gateway.credential SET failing_since = NULL, breaker_open_until = NULL, breaker_reason = NULL, breaker_failures = 0
    WHERE id = $1 AND breaker_open_until IS DISTINCT FROM 'infinity'`,
);
