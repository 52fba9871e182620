import { statement } from '#libs/database';
import { PLAN } from '../../plan-sql/plan.sql.js';
import { endOf, scopesOf, windowOf } from '../spend/spend-scopes.sql.js';

/** One reservation takes at most this part of a hard limit, so that one call cannot block a whole budget. */
export const LARGEST_PART = 2;

/**
 * Stores attempts and takes the estimate of each from all limits of its scopes, or from none. In the order of the batch: an attempt
 * that does not fit is refused, and later ones that fit are granted.
 *
 * Counters are locked in the order of their key, so that statements of several replicas cannot deadlock, and are read after the
 * lock. Limits that are not reached by the whole batch need no order; only attempts of the others take turns.
 *
 * Attempts are refused when their credential is disabled or has another secret; a deleted one has none. It is found by a scalar subquery
 * through the primary key: for EXISTS or IN the planner may hash the whole table. Those with a plan from an earlier request are refused
 * when the plan of now is another one. Each plan is read once for the batch; its fingerprint contains what it was read for.
 *
 * $1 JSON array of attempts, each with its place. One row for each attempt: `reason` null is granted; `counterless` is a window
 * without a counter; `changed` is an outdated plan or credential.
 */
export const RESERVE = statement(
  'gateway_reserve_spend',
  `WITH RECURSIVE input AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS a (place int, id uuid, request_id uuid, attempt smallint,
       organization_id uuid, application_id uuid, application text, user_id uuid, capability text, provider text,
       credential_id uuid, model text, estimate bigint, secret text, plan_model text, plan_returned text[], plan text)
   ), confirmed AS MATERIALIZED (
     SELECT k.plan
     FROM (SELECT DISTINCT organization_id, capability, plan_model AS model, plan_returned AS returned, plan
       FROM input WHERE plan IS NOT NULL) k
     CROSS JOIN LATERAL (${PLAN}) now WHERE now.fingerprint = k.plan
   ), eligible AS MATERIALIZED (
     SELECT * FROM input t WHERE (t.plan IS NULL OR t.plan IN (SELECT plan FROM confirmed)) AND (
       t.secret IS NULL OR t.secret = (
         SELECT c.secret FROM gateway.credential c WHERE c.id = t.credential_id AND c.enabled))
   ), limits AS MATERIALIZED (
     SELECT a.place, a.estimate, l.scope, l.period, l.hard, ${windowOf('l.period', 'now()')} AS starts_on
     FROM eligible a CROSS JOIN LATERAL ${scopesOf('a')} AS k (scope) JOIN gateway.spend_limit l ON l.scope = k.scope
   ), locked AS MATERIALIZED (
     SELECT c.scope, c.period, c.reserved + c.spent AS taken FROM gateway.spend_counter c
     WHERE (c.scope, c.period, c.starts_on) IN (SELECT w.scope, w.period, w.starts_on FROM limits w)
     ORDER BY c.scope, c.period FOR UPDATE
   ), demand AS MATERIALIZED (
     SELECT w.*, w.hard - k.taken AS free, CASE
       WHEN k.scope IS NULL THEN 'counterless'
       WHEN w.hard IS NULL THEN NULL
       WHEN w.estimate IS NULL THEN 'unpriced'
       WHEN w.estimate > w.hard / ${LARGEST_PART} THEN 'large' END AS reason
     FROM limits w LEFT JOIN locked k USING (scope, period)
   ), rejected AS MATERIALIZED (
     SELECT DISTINCT ON (place) place, reason, scope, period, starts_on FROM demand WHERE reason IS NOT NULL
     ORDER BY place, reason = 'counterless' DESC, period DESC, scope
   ), guarded AS MATERIALIZED (
     SELECT n.* FROM demand n WHERE n.hard IS NOT NULL AND NOT EXISTS (SELECT FROM rejected b WHERE b.place = n.place)
   ), contended AS MATERIALIZED (
     SELECT scope, period, starts_on, free, row_number() OVER (ORDER BY scope, period)::int AS number
     FROM guarded GROUP BY scope, period, starts_on, free HAVING sum(estimate) > free
   ), queue AS MATERIALIZED (
     SELECT g.place, g.estimate, array_agg(t.number) AS numbers, row_number() OVER (ORDER BY g.place) AS step
     FROM guarded g JOIN contended t USING (scope, period) GROUP BY g.place, g.estimate
   ), step AS (
     SELECT 0::bigint AS step, NULL::int AS place, NULL::int AS refused_by,
       (SELECT array_agg(free::bigint ORDER BY number) FROM contended) AS free
     UNION ALL
     SELECT c.step, c.place, r.number, CASE WHEN r.number IS NOT NULL THEN t.free ELSE (
         SELECT array_agg(CASE WHEN n = ANY (c.numbers) THEN f - c.estimate ELSE f END ORDER BY n)
         FROM unnest(t.free) WITH ORDINALITY AS x (f, n)) END
     FROM step t JOIN queue c ON c.step = t.step + 1 LEFT JOIN LATERAL (
       SELECT x.number FROM contended x WHERE x.number = ANY (c.numbers) AND t.free[x.number] < c.estimate
       ORDER BY x.period DESC, x.scope LIMIT 1) r ON true
   ), refused AS MATERIALIZED (
     SELECT place, reason, scope, period, starts_on FROM rejected
     UNION ALL
     SELECT t.place, 'reached', x.scope, x.period, x.starts_on FROM step t JOIN contended x ON x.number = t.refused_by
   ), granted AS MATERIALIZED (
     SELECT a.* FROM eligible a WHERE NOT EXISTS (SELECT FROM refused r WHERE r.place = a.place)
   ), taken AS (
     UPDATE gateway.spend_counter c SET reserved = c.reserved + s.estimate
     FROM (SELECT w.scope, w.period, w.starts_on, sum(w.estimate)::bigint AS estimate
       FROM limits w JOIN granted USING (place) WHERE w.estimate > 0 GROUP BY w.scope, w.period, w.starts_on) s
     WHERE c.scope = s.scope AND c.period = s.period AND c.starts_on = s.starts_on
   ), stored AS (
     INSERT INTO gateway.usage (id, request_id, attempt, organization_id, application_id, application, user_id, capability,
       provider, credential_id, model, estimate)
     SELECT id, request_id, attempt, organization_id, application_id, application, user_id, capability, provider,
       credential_id, model, estimate FROM granted
   )
   SELECT t.id, CASE WHEN a.id IS NULL THEN 'changed' ELSE r.reason END AS reason, r.scope, r.period,
     ${endOf('r.period', 'r.starts_on')} AS "resetsAt",
     extract(epoch FROM ${endOf('r.period', 'r.starts_on')} - now())::float8 AS "resetsInSeconds"
   FROM input t LEFT JOIN eligible a USING (place) LEFT JOIN refused r USING (place)`,
);

/** Which of the attempts are stored. $1 ids */
export const STORED = statement(
  'gateway_stored_usage',
  'SELECT id FROM gateway.usage WHERE id = ANY ($1::uuid[])',
);
