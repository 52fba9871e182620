import { statement } from '#libs/database';

const NOW = 'clock_timestamp()';

/** The accounts without an answer, with that of $2. Those of long ago say nothing about now. */
const ACCOUNTS = `CASE WHEN o.failed_at < ${NOW} - make_interval(secs => $7::float8) THEN ARRAY[$2::text]
      WHEN $2 = ANY (o.failed_accounts) THEN o.failed_accounts ELSE o.failed_accounts || $2::text END`;
const IS_FOUND = `o.open_since IS NULL AND cardinality(${ACCOUNTS}) >= $4::int`;
/** What only an operator can repair stays the reason until the network accepts this service again: an unanswered probe does not show that. */
const REASON = `CASE WHEN o.open_since IS NOT NULL AND o.failure->>'class' = 'configuration'
      AND excluded.failure->>'class' <> 'configuration' THEN o.failure ELSE excluded.failure END`;
/** Milliseconds with jitter, so that workers and networks do not probe in step. */
const pause = (ms: string) => `make_interval(secs => (0.75 + random() / 2) * ${ms} / 1000)`;

/**
 * $1 platform, $2 account, $3 failure, $4 accounts that make an outage, $5 first pause between probes in milliseconds, $6 the
 * longest, $7 seconds within which failures count together, $8 whether this was a probe.
 */
export const FAILED = statement(
  'integrations_network_failed',
  `INSERT INTO integrations.network_outage AS o (platform, failed_accounts, failed_at, failure)
   VALUES ($1, ARRAY[$2::text], ${NOW}, $3)
   ON CONFLICT (platform) DO UPDATE SET
     failed_accounts = CASE WHEN o.open_since IS NULL THEN ${ACCOUNTS} ELSE o.failed_accounts END,
     failed_at = ${NOW}, failure = ${REASON},
     open_since = CASE WHEN ${IS_FOUND} THEN ${NOW} ELSE o.open_since END,
     probe_at = CASE WHEN ${IS_FOUND} THEN ${NOW} + ${pause('$5::float8')}
       WHEN o.open_since IS NOT NULL AND $8::boolean
       THEN ${NOW} + ${pause('least($6::float8, $5::float8 * power(2, least(o.probes, 20) + 1))')} ELSE o.probe_at END,
     probes = CASE WHEN ${IS_FOUND} THEN 0 WHEN $8::boolean THEN o.probes + 1 ELSE o.probes END
   RETURNING ${NOW} AS at, open_since IS NOT NULL AS "isDown"`,
);

/**
 * $1 platform, $2 when the attempt began: what was sent before the outage does not end it. $3 whether the answer shows that the network
 * accepts this service, without which a refusal of it goes on.
 */
export const ANSWERED = statement(
  'integrations_network_answered',
  `UPDATE integrations.network_outage SET failed_accounts = '{}', open_since = NULL, probe_at = NULL, probes = 0,
     closed_at = CASE WHEN open_since IS NULL THEN closed_at ELSE ${NOW} END
   WHERE platform = $1 AND CASE WHEN open_since IS NULL THEN failed_accounts <> '{}'
     ELSE open_since < $2::timestamptz AND ($3::boolean OR failure->>'class' <> 'configuration') END`,
);

/** $1 platforms, $2 milliseconds until another may probe when this one does not report. */
export const CLAIM_PROBES = statement(
  'integrations_claim_probes',
  `UPDATE integrations.network_outage SET probe_at = ${NOW} + make_interval(secs => $2::float8 / 1000)
   WHERE platform = ANY ($1::text[]) AND probe_at <= ${NOW} RETURNING platform`,
);

/** $1 platforms. */
export const RELEASE_PROBES = statement(
  'integrations_release_probes',
  `UPDATE integrations.network_outage SET probe_at = ${NOW} WHERE platform = ANY ($1::text[]) AND probe_at IS NOT NULL`,
);

export const CURRENT = statement(
  'integrations_current_outages',
  `SELECT platform, extract(epoch FROM ${NOW} - open_since)::float8 AS seconds, failure,
     failure->>'class' = 'configuration' AS "isRefusal"
   FROM integrations.network_outage WHERE open_since IS NOT NULL`,
);

export const NOW_IS = statement('integrations_now', `SELECT ${NOW} AS at`);
