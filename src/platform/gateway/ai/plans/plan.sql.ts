import { statement } from '#libs/database';
import { lifecycleNow } from '../../models/lifecycle.js';

/** A breaker of a row, as members of a JSON object. @param column names the columns of the row */
const circuit = (column: (name: string) => string): string =>
  `'failures', ${column('failures')}, 'reason', ${column('reason')},
         'isHeldBack', coalesce(${column('open_until')} > now(), false),
         'isWaitingForProbe', coalesce(${column('open_until')} <= now(), false),
         'remainingMs', CASE WHEN isfinite(${column('open_until')})
           THEN ceil(extract(epoch FROM ${column('open_until')} - now()) * 1000)::bigint END`;

/**
 * All that a request needs to know, in one read: preferences, the models that they and the request name, with their prices of now, and
 * the credentials of the providers of these models, own ones first. LIMIT 1 keeps the few models and prices out of joins, for which the
 * planner would read and sort the whole tables.
 * $1 organization, $2 capability, $3 model of the request as provider/model, or null
 */
export const READ_PLAN = statement(
  'gateway_read_plan',
  `WITH preference AS MATERIALIZED (
     SELECT organization_id IS NULL AS is_platform, default_model, allowed_models, fallback_chain, fallback_on_policy
       FROM gateway.model_preference
      WHERE capability = $2 AND (organization_id = $1 OR organization_id IS NULL)
   ), named AS MATERIALIZED (
     SELECT DISTINCT split_part(ref, '/', 1) AS provider, substr(ref, strpos(ref, '/') + 1) AS id
       FROM (SELECT $3::text AS ref UNION ALL SELECT default_model FROM preference
             UNION ALL SELECT unnest(fallback_chain) FROM preference) AS refs
      WHERE strpos(ref, '/') > 1
   )
   SELECT
     (SELECT json_agg(json_build_object('isPlatform', is_platform, 'defaultModel', default_model,
         'allowedModels', allowed_models, 'fallbackChain', fallback_chain, 'fallbackOnPolicy', fallback_on_policy))
        FROM preference) AS preferences,
     (SELECT json_agg(json_build_object('provider', m.provider, 'model', m.id, 'capabilities', m.capabilities,
         'contextWindow', m.context_window, 'maxOutputTokens', m.max_output_tokens,
         'lifecycle', ${lifecycleNow('m')}, 'prices', p.prices))
        FROM named CROSS JOIN LATERAL (SELECT * FROM gateway.model
                            WHERE provider = named.provider AND id = named.id LIMIT 1) m
        LEFT JOIN LATERAL (SELECT c.prices FROM gateway.current_model_price c
                            WHERE c.provider = m.provider AND c.model = m.id LIMIT 1) p ON true) AS models,
     (SELECT json_agg(json_build_object('id', c.id, 'provider', c.provider, 'organizationId', c.organization_id,
         'dataKey', c.data_key, 'secret', c.secret, 'isFailing', c.failing_since IS NOT NULL,
         ${circuit((name) => `c.breaker_${name}`)},
         'models', (SELECT json_object_agg(b.model, json_build_object(${circuit((name) => `b.${name}`)}))
                      FROM gateway.model_breaker b
                     WHERE b.credential_id = c.id AND (c.provider, b.model) IN (SELECT provider, id FROM named)))
         ORDER BY c.organization_id IS NULL, c.position, c.id)
        FROM gateway.credential c
       WHERE c.provider IN (SELECT provider FROM named) AND c.enabled AND c.deleted_at IS NULL
         AND (c.organization_id = $1 OR c.organization_id IS NULL)) AS credentials`,
);

/** Prices of a model that the provider used in place of the one that was asked for. $1 provider, $2 model */
export const READ_PRICES = statement(
  'gateway_read_current_prices',
  `SELECT prices FROM gateway.current_model_price WHERE provider = $1 AND model = $2`,
);
