import { statement } from '#libs/database';
import { countedBy, dayOf, monthOf, scopesOf } from '../spend/spend-scopes.sql.js';

/**
 * Moves amounts of settled attempts from reservations to spend, in the windows of the reservations. Counters that do not exist
 * belong to no limit. Rows of gateway.usage are locked before counters, and both in the order of their keys.
 * Expects `open` (id, was_reserved, was_spent) and `settled` (columns of gateway.usage).
 */
export const MOVE = `moved AS MATERIALIZED (
     SELECT k.scope, p.period, p.starts_on, sum(o.was_reserved)::bigint AS reserved,
       sum(${countedBy('s')} - o.was_spent)::bigint AS spent
     FROM settled s JOIN open o USING (id) CROSS JOIN LATERAL ${scopesOf('s')} AS k (scope)
     CROSS JOIN LATERAL (VALUES ('day', ${dayOf('s.reserved_at')}), ('month', ${monthOf('s.reserved_at')}))
       AS p (period, starts_on)
     GROUP BY k.scope, p.period, p.starts_on
   ), locked AS MATERIALIZED (
     SELECT c.scope, c.period, c.starts_on FROM gateway.spend_counter c
     WHERE (c.scope, c.period, c.starts_on) IN (SELECT m.scope, m.period, m.starts_on FROM moved m)
     ORDER BY c.scope, c.period, c.starts_on FOR UPDATE
   ), counted AS (
     UPDATE gateway.spend_counter c SET reserved = c.reserved - m.reserved, spent = c.spent + m.spent
     FROM locked k JOIN moved m USING (scope, period, starts_on)
     WHERE c.scope = k.scope AND c.period = k.period AND c.starts_on = k.starts_on
   )`;

const OPEN_AMOUNTS = `CASE u.state WHEN 'reserved' THEN coalesce(u.estimate, 0) ELSE 0 END AS was_reserved,
       CASE u.state WHEN 'reserved' THEN 0 ELSE coalesce(u.estimate, 0) END AS was_spent`;

/**
 * Settles reservations, each once. A row that a sweep settled as unknown is still open to its call, unless a person corrected it: the
 * correction is a second change with a transaction of its own, for the rollups. Rows are found by LATERAL and ANY through the primary key: for joins alone the
 * planner reads the whole table while it is small, and keeps that plan while it grows.
 * $1 JSON array of settlements. Rows: the ids that were open.
 */
export const SETTLE = statement(
  'gateway_settle_doubted_spend',
  `WITH results AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS s (id uuid, state text, cost bigint, returned_model text, failure text,
       provider_request_id text, milliseconds int, input_tokens bigint, cached_input_tokens bigint, cache_write_tokens bigint,
       output_tokens bigint, input_image_tokens bigint, output_image_tokens bigint, input_audio_tokens bigint,
       audio_seconds float8, images bigint, doubt text, claim jsonb)
   ), open AS MATERIALIZED (
     SELECT o.* FROM (SELECT DISTINCT id FROM results ORDER BY id) k CROSS JOIN LATERAL (
       SELECT u.id, u.state = 'reserved' AS is_first, ${OPEN_AMOUNTS}
       FROM gateway.usage u
       WHERE u.id = k.id AND (u.state = 'reserved' OR (u.swept AND u.corrected_transaction IS NULL))
       LIMIT 1 FOR UPDATE) o
   ), settled AS (
     UPDATE gateway.usage u SET state = s.state, cost = s.cost, returned_model = s.returned_model, failure = s.failure,
       provider_request_id = s.provider_request_id, milliseconds = s.milliseconds, input_tokens = s.input_tokens,
       cached_input_tokens = s.cached_input_tokens, cache_write_tokens = s.cache_write_tokens,
       output_tokens = s.output_tokens, input_image_tokens = s.input_image_tokens,
       output_image_tokens = s.output_image_tokens, input_audio_tokens = s.input_audio_tokens,
       audio_seconds = s.audio_seconds, images = s.images, doubt = s.doubt, claim = s.claim, settled_at = coalesce(u.settled_at, now()),
       settled_transaction = coalesce(u.settled_transaction, pg_current_xact_id()),
       corrected_transaction = CASE WHEN o.is_first THEN NULL ELSE pg_current_xact_id() END
     FROM open o JOIN results s USING (id) WHERE u.id = o.id AND u.id = ANY (ARRAY(SELECT id FROM open))
     RETURNING u.*
   ), ${MOVE}
   SELECT id FROM settled`,
);

/**
 * Settles reservations as unknown whose call did not report in time; its process has probably ended. The estimate stays counted.
 * $1 minimum age in milliseconds, $2 maximum number. Rows: their ids and providers.
 */
export const SWEEP = statement(
  'gateway_sweep_spend',
  `WITH open AS MATERIALIZED (
     SELECT u.id, ${OPEN_AMOUNTS} FROM gateway.usage u
     WHERE u.state = 'reserved' AND u.reserved_at < now() - $1::float8 * interval '1 millisecond'
     ORDER BY u.reserved_at LIMIT $2 FOR UPDATE SKIP LOCKED
   ), settled AS (
     UPDATE gateway.usage u SET state = 'unknown', swept = true, settled_at = now(),
       settled_transaction = pg_current_xact_id()
     FROM open o WHERE u.id = o.id RETURNING u.*
   ), ${MOVE}
   SELECT id, provider FROM settled`,
);
