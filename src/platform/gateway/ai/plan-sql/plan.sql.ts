import { statement } from '#libs/database';
import { lifecycleNow } from './lifecycle.sql.js';

/** Failures in a row, each at most a minute after the one before, that open a breaker. */
export const FAILURES_TO_OPEN = 5;

/**
 * A breaker of a row, as members of a JSON object. @param column names the columns of the row @param needsProbe SQL: when its time is
 * over
 */
const circuit = (column: (name: string) => string, needsProbe = 'true'): string =>
  `'failures', ${column('failures')}, 'reason', ${column('reason')},
         'isHeldBack', coalesce(${column('open_until')} > now(), false),
         'isWaitingForProbe', coalesce(${column('open_until')} <= now() AND ${needsProbe}, false),
         'remainingMs', CASE WHEN isfinite(${column('open_until')}) AND ${column('open_until')} > now()
           THEN ceil(extract(epoch FROM ${column('open_until')} - now()) * 1000)::bigint END`;

/** Not by the provider's Retry-After alone: when that is over, calls may go on. */
const OPENED_BY_FAILURES = `b.failures >= ${FAILURES_TO_OPEN}`;

/** SQL expressions of what a plan is read for. */
interface PlanKey {
  /** uuid */
  readonly organization: string;
  readonly capability: string;
  /** Model of the request as provider/model, or null. */
  readonly model: string;
  /** text[]: models as provider/model that providers returned in place of these models. */
  readonly returned: string;
}

/** Of the providers of `named`, own ones first. @param organization SQL */
const credentialsOf = (
  organization: string,
): string => `(SELECT json_agg(json_build_object('id', c.id, 'provider', c.provider, 'organizationId', c.organization_id,
         'dataKey', c.data_key, 'secret', c.secret, 'isFailing', c.failing_since IS NOT NULL,
         ${circuit((name) => `c.breaker_${name}`)},
         'models', (SELECT json_object_agg(b.model, json_build_object(${circuit((name) => `b.${name}`, OPENED_BY_FAILURES)}) ORDER BY b.model)
                      FROM gateway.model_breaker b
                     WHERE b.credential_id = c.id AND (c.provider, b.model) IN (SELECT provider, id FROM named)))
         ORDER BY c.organization_id IS NULL, c.position, c.id)
        FROM gateway.credential c
       WHERE c.provider IN (SELECT provider FROM named) AND c.enabled AND c.deleted_at IS NULL
         AND (c.organization_id = ${organization} OR c.organization_id IS NULL))`;

/**
 * All that a request needs to know, in one read: preferences, the models that they and the request name, with their prices of now,
 * the prices of models that providers use in their place, and the credentials of the providers of these models, own ones first. LIMIT 1
 * keeps the few models and prices out of joins, for which the planner would read and sort the whole tables. The lists have an order, so
 * that two reads of the same state have the same fingerprint.
 */
export const planOf = ({ organization, capability, model, returned }: PlanKey): string => `SELECT plan.*,
   encode(sha256(convert_to(json_build_array(${organization}, ${capability}, ${model}, ${returned},
     preferences, models, "returnedPrices", credentials)::text, 'UTF8')), 'hex') AS fingerprint
 FROM (
   WITH preference AS MATERIALIZED (
     SELECT organization_id IS NULL AS is_platform, default_model, allowed_models, fallback_chain, fallback_on_policy
       FROM gateway.model_preference
      WHERE capability = ${capability} AND (organization_id = ${organization} OR organization_id IS NULL)
   ), named AS MATERIALIZED (
     SELECT DISTINCT split_part(ref, '/', 1) AS provider, substr(ref, strpos(ref, '/') + 1) AS id
       FROM (SELECT ${model} AS ref UNION ALL SELECT default_model FROM preference
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
     (SELECT json_agg(json_build_object('ref', r.ref, 'prices', p.prices) ORDER BY r.ref)
        FROM unnest(${returned}) AS r (ref)
        LEFT JOIN LATERAL (SELECT c.prices FROM gateway.current_model_price c
                            WHERE c.provider = split_part(r.ref, '/', 1)
                              AND c.model = substr(r.ref, strpos(r.ref, '/') + 1) LIMIT 1) p ON true) AS "returnedPrices",
     ${credentialsOf(organization)} AS credentials
 ) AS plan`;

/** $1 organization, $2 capability, $3 model of the request, $4 returned models; see `PlanKey` */
export const READ_PLAN = statement(
  'gateway_read_plan',
  planOf({ organization: '$1::uuid', capability: '$2::text', model: '$3::text', returned: '$4::text[]' }),
);

/**
 * Prices of a model that the provider used in place of the one that was asked for, as of the reservation: a price that changes during a
 * call does not count for it. $1 provider, $2 model, $3 id of the reservation
 */
export const READ_PRICES = statement(
  'gateway_read_prices_of_attempt',
  `SELECT p.prices FROM gateway.model_price p
    WHERE p.provider = $1 AND p.model = $2
      AND p.starts_at <= coalesce((SELECT u.reserved_at FROM gateway.usage u WHERE u.id = $3::uuid), now())
    ORDER BY p.rank, p.starts_at DESC LIMIT 1`,
);
