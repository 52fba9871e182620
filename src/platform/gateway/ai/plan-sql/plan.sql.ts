import { statement } from '#libs/database';
import { lifecycleNow } from './lifecycle.sql.js';

/** Failures in a row, each at most a minute after the one before, that open a breaker. */
export const FAILURES_TO_OPEN = 5;

/**
 * A `Circuit` of a row, as members of a JSON object. @param column names the columns of the row @param needsProbe SQL: when its time is
 * over
 */
const circuit = (column: (name: string) => string, needsProbe = 'true'): string => {
  const reason = `'reason', coalesce(${column('reason')}, 'overload')`;
  const until = column('open_until');
  return `'failures', ${column('failures')}, 'breaker', CASE
           WHEN ${until} > now() THEN json_build_object('state', 'open', ${reason}, 'remainingMs',
             CASE WHEN isfinite(${until}) THEN ceil(extract(epoch FROM ${until} - now()) * 1000)::bigint END)
           WHEN ${until} <= now() AND ${needsProbe} THEN json_build_object('state', 'half-open', ${reason})
           ELSE json_build_object('state', 'closed') END`;
};

/** Not by the provider's Retry-After alone: when that is over, calls may go on. */
const OPENED_BY_FAILURES = `b.failures >= ${FAILURES_TO_OPEN}`;

/** Of the providers of `named`, own ones first. */
const CREDENTIALS = `(SELECT json_agg(json_build_object('id', c.id, 'provider', c.provider, 'organizationId', c.organization_id,
         'dataKey', c.data_key, 'secret', c.secret, 'isFailing', c.failing_since IS NOT NULL,
         ${circuit((name) => `c.breaker_${name}`)},
         'models', (SELECT json_object_agg(b.model, json_build_object(${circuit((name) => `b.${name}`, OPENED_BY_FAILURES)}) ORDER BY b.model)
                      FROM gateway.model_breaker b
                     WHERE b.credential_id = c.id AND (c.provider, b.model) IN (SELECT provider, id FROM named)))
         ORDER BY c.organization_id IS NULL, c.position, c.id)
        FROM gateway.credential c
       WHERE c.provider IN (SELECT provider FROM named) AND c.enabled AND c.deleted_at IS NULL
         AND (c.organization_id = k.organization_id OR c.organization_id IS NULL))`;

/**
 * All that a request needs to know: preferences, the models that they and the request name, with their prices of now, the prices of
 * models that providers returned in their place, and the credentials of the providers of these models, own ones first. LIMIT 1
 * keeps the few models and prices out of joins, for which the planner would read and sort the whole tables. The lists have an order, so
 * that two reads of the same state have the same fingerprint.
 * Expects `k` (organization_id uuid, capability text, and as provider/model: model text or null, returned text[]).
 */
export const PLAN = `SELECT read.*, encode(sha256(convert_to(json_build_array(k.organization_id, k.capability, k.model, k.returned,
     preferences, models, "returnedPrices", credentials)::text, 'UTF8')), 'hex') AS fingerprint
 FROM (
   WITH preference AS MATERIALIZED (
     SELECT organization_id IS NULL AS is_platform, default_model, allowed_models, fallback_chain, fallback_on_policy
       FROM gateway.model_preference
      WHERE capability = k.capability AND (organization_id = k.organization_id OR organization_id IS NULL)
   ), named AS MATERIALIZED (
     SELECT DISTINCT split_part(ref, '/', 1) AS provider, substr(ref, strpos(ref, '/') + 1) AS id
       FROM (SELECT k.model AS ref UNION ALL SELECT default_model FROM preference
             UNION ALL SELECT unnest(fallback_chain) FROM preference) AS refs
      WHERE strpos(ref, '/') > 1
   )
   SELECT
     (SELECT json_agg(json_build_object('isPlatform', is_platform, 'defaultModel', default_model,
         'allowedModels', allowed_models, 'fallbackChain', fallback_chain, 'fallbackOnPolicy', fallback_on_policy)
         ORDER BY is_platform)
        FROM preference) AS preferences,
     (SELECT json_agg(json_build_object('provider', m.provider, 'model', m.id, 'capabilities', m.capabilities,
         'contextWindow', m.context_window, 'maxOutputTokens', m.max_output_tokens, 'accepts', m.accepts,
         'lifecycle', ${lifecycleNow('m')}, 'retiresAt', m.retires_at, 'prices', p.prices) ORDER BY m.provider, m.id)
        FROM named CROSS JOIN LATERAL (SELECT * FROM gateway.model
                            WHERE provider = named.provider AND id = named.id LIMIT 1) m
        LEFT JOIN LATERAL (SELECT c.prices FROM gateway.current_model_price c
                            WHERE c.provider = m.provider AND c.model = m.id LIMIT 1) p ON true) AS models,
     (SELECT json_object_agg(r.ref, p.prices ORDER BY r.ref)
        FROM unnest(k.returned) AS r (ref)
        LEFT JOIN LATERAL (SELECT c.prices FROM gateway.current_model_price c
                            WHERE c.provider = split_part(r.ref, '/', 1)
                              AND c.model = substr(r.ref, strpos(r.ref, '/') + 1) LIMIT 1) p ON true) AS "returnedPrices",
     ${CREDENTIALS} AS credentials
 ) AS read`;

/**
 * In one read for several requests. JSON instead of arrays: for an array the planner expects as many rows as it has, so that a plan
 * for each execution seems cheaper than one for all, and planning takes four times as long as the statement.
 * $1 JSON array of keys, see `PLAN`, each with its place. One row for each, in their order
 */
export const READ_PLANS = statement(
  'gateway_read_plans',
  `SELECT plan.* FROM jsonb_to_recordset($1::jsonb) AS k (place int, organization_id uuid, capability text, model text, returned text[])
   CROSS JOIN LATERAL (${PLAN}) plan ORDER BY k.place`,
);
