import { statement, type Statement } from '#libs/database';
import { FAILURES_TO_OPEN } from '../../plan-sql/plan.sql.js';

const WINDOW = `interval '60 s'`;

/**
 * The statements of one kind of breaker. The key comes first in their values; its last part is the encrypted secret of the call. What a
 * call says about a secret is not true of another one: a credential that was rotated or erased meanwhile is left unchanged.
 */
export interface CircuitStatements {
  /**
   * One caller over all replicas may try what was held back, until its lease ends: a dead one frees the probe. Returns the end of the
   * lease as text, or null and whether the breaker was closed. Key, milliseconds.
   */
  readonly claim: Statement;
  /** Ends a lease whose call said nothing about the provider. Key, end of the lease. */
  readonly release: Statement;
  /**
   * Returns whether it is open then. Key, failures, reason, milliseconds to stay open after enough failures or a failed probe, whether a
   * probe failed, milliseconds that the provider named itself or null.
   */
  readonly count: Statement;
  /** A response of the provider. Key. */
  readonly close: Statement;
}

/** The failures counted before, unless they are too old. */
const before = (failures: string, failedAt: string): string =>
  `CASE WHEN ${failedAt} > now() - ${WINDOW} THEN ${failures} ELSE 0 END`;

const ms = (parameter: string): string => `now() + ${parameter}::int * interval '1 ms'`;

/** The parameters of a count, and SQL of the row: when it was open until, and whether its failures are enough now. */
interface Counting {
  readonly openMs: string;
  readonly hasProbeFailed: string;
  readonly toldMs: string;
  readonly openUntil: string;
  readonly isEnough: string;
}

const opens = ({ hasProbeFailed, toldMs, isEnough }: Omit<Counting, 'openUntil' | 'openMs'>): string =>
  `(${hasProbeFailed}::boolean OR ${toldMs}::int IS NOT NULL OR ${isEnough})`;

/** A failed probe replaces its lease; otherwise no failure shortens the time. */
const newOpenUntil = ({ openMs, hasProbeFailed, toldMs, openUntil, isEnough }: Counting): string =>
  `greatest(${ms(toldMs)}, CASE WHEN ${hasProbeFailed} THEN ${ms(openMs)}
         WHEN ${isEnough} THEN greatest(${openUntil}, ${ms(openMs)}) ELSE ${openUntil} END)`;

const ofCredential: Counting = {
  openMs: '$5',
  hasProbeFailed: '$6',
  toldMs: '$7',
  openUntil: 'breaker_open_until',
  isEnough: `$3::int + ${before('breaker_failures', 'breaker_failed_at')} >= ${FAILURES_TO_OPEN}`,
};
const ofModel = { openMs: '$6', hasProbeFailed: '$7', toldMs: '$8' };
const ofNewModel: Counting = { ...ofModel, openUntil: 'NULL', isEnough: `$4::int >= ${FAILURES_TO_OPEN}` };
const ofKnownModel: Counting = {
  ...ofModel,
  openUntil: 'b.open_until',
  isEnough: `$4 + ${before('b.failures', 'b.failed_at')} >= ${FAILURES_TO_OPEN}`,
};

/** Of a credential. One that waits for a check (infinity) stays open. Key: $1 credential, $2 secret. */
export const OF_CREDENTIAL: CircuitStatements = {
  claim: statement(
    'gateway_claim_probe',
    `WITH claimed AS (
       UPDATE gateway.credential SET breaker_open_until = ${ms('$3')}
        WHERE id = $1 AND secret = $2 AND breaker_open_until <= now() RETURNING breaker_open_until::text AS lease)
     SELECT (SELECT lease FROM claimed) AS lease,
            NOT EXISTS (SELECT FROM gateway.credential
                         WHERE id = $1 AND secret = $2 AND breaker_open_until IS NOT NULL) AS "isClosed"`,
  ),
  release: statement(
    'gateway_release_probe',
    `UPDATE gateway.credential SET breaker_open_until = now()
      WHERE id = $1 AND secret = $2 AND breaker_open_until = $3::timestamptz`,
  ),
  count: statement(
    'gateway_count_failures',
    `UPDATE gateway.credential SET
       breaker_failures = $3::int + ${before('breaker_failures', 'breaker_failed_at')},
       breaker_failed_at = now(),
       breaker_reason = CASE WHEN opens THEN $4 ELSE breaker_reason END,
       breaker_open_until = ${newOpenUntil(ofCredential)}
     FROM (SELECT id AS failed, ${opens(ofCredential)} AS opens
             FROM gateway.credential WHERE id = $1 AND secret = $2 FOR NO KEY UPDATE) AS counted
     WHERE id = failed AND breaker_open_until IS DISTINCT FROM 'infinity'
     RETURNING opens`,
  ),
  close: statement(
    'gateway_close_breaker',
    `UPDATE gateway.credential SET failing_since = NULL, breaker_open_until = NULL, breaker_reason = NULL, breaker_failures = 0
      WHERE id = $1 AND secret = $2 AND breaker_open_until IS DISTINCT FROM 'infinity'`,
  ),
};

const HAS_SECRET = 'SELECT FROM gateway.credential WHERE id = $1 AND secret = $3';

/**
 * Of a model with a credential. Key: $1 credential, $2 model, $3 secret. The provider's own Retry-After opens it by itself, and needs no
 * probe when it is over: failures in a row and a probe that failed do. While it counts, the credential cannot be rotated.
 */
export const OF_MODEL: CircuitStatements = {
  claim: statement(
    'gateway_claim_probe_of_model',
    `WITH claimed AS (
       UPDATE gateway.model_breaker SET open_until = ${ms('$4')}
        WHERE credential_id = $1 AND model = $2 AND open_until <= now() AND EXISTS (${HAS_SECRET})
       RETURNING open_until::text AS lease)
     SELECT (SELECT lease FROM claimed) AS lease,
            NOT EXISTS (SELECT FROM gateway.model_breaker
                         WHERE credential_id = $1 AND model = $2 AND open_until IS NOT NULL) AS "isClosed"`,
  ),
  release: statement(
    'gateway_release_probe_of_model',
    `UPDATE gateway.model_breaker SET open_until = now()
      WHERE credential_id = $1 AND model = $2 AND open_until = $4::timestamptz AND EXISTS (${HAS_SECRET})`,
  ),
  count: statement(
    'gateway_count_failures_of_model',
    `INSERT INTO gateway.model_breaker AS b (credential_id, model, failures, failed_at, open_until, reason)
     SELECT id, $2::text, CASE WHEN $7 THEN greatest($4, ${FAILURES_TO_OPEN}) ELSE $4 END, now(), ${newOpenUntil(ofNewModel)},
            CASE WHEN ${opens(ofNewModel)} THEN $5::text END
       FROM gateway.credential WHERE id = $1 AND secret = $3 FOR SHARE
     ON CONFLICT (credential_id, model) DO UPDATE SET
       failures = excluded.failures + ${before('b.failures', 'b.failed_at')},
       failed_at = now(),
       reason = CASE WHEN ${opens(ofKnownModel)} THEN $5 ELSE b.reason END,
       open_until = ${newOpenUntil(ofKnownModel)}
     RETURNING $7 OR $8 IS NOT NULL OR failures >= ${FAILURES_TO_OPEN} AS opens`,
  ),
  close: statement(
    'gateway_close_breaker_of_model',
    `DELETE FROM gateway.model_breaker WHERE credential_id = $1 AND model = $2 AND EXISTS (${HAS_SECRET})`,
  ),
};

/** No row: it was open already, or the secret is another one. $1 credential, $2 secret */
export const OPEN_UNTIL_CHECKED = statement(
  'gateway_open_until_checked',
  `UPDATE gateway.credential SET breaker_open_until = 'infinity', breaker_reason = 'money'
    WHERE id = $1 AND secret = $2 AND breaker_open_until IS DISTINCT FROM 'infinity' RETURNING organization_id`,
);

/** No row: it is marked already, or the secret is another one. $1 credential, $2 secret */
export const MARK_FAILING = statement(
  'gateway_mark_failing',
  `UPDATE gateway.credential SET failing_since = now() WHERE id = $1 AND secret = $2 AND failing_since IS NULL RETURNING id`,
);
