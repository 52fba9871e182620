import { statement } from '#libs/database';
import { lifecycleNow } from '../../plan-sql/lifecycle.sql.js';
import { MODEL_COLUMNS, MODEL_JOINS } from '../catalog/models.store.js';

/** In the order of organizations, the platform's first. $1 organization, null: all; $2 rows */
export const PREFERENCES = statement(
  'gateway_governed_preferences',
  `SELECT organization_id AS "organizationId", capability, default_model AS "defaultModel",
          allowed_models AS "allowedModels", fallback_chain AS "fallbackChain",
          fallback_on_policy AS "fallbackOnPolicy", updated_at AS "updatedAt"
     FROM gateway.model_preference
    WHERE $1::uuid IS NULL OR organization_id IS NULL OR organization_id = $1::uuid
    ORDER BY organization_id NULLS FIRST, capability LIMIT $2`,
);

/** Each model of each preference, with its first use. $1 as in `PREFERENCES` */
const USES = `SELECT p.organization_id, p.capability, named.model,
          CASE WHEN named.model = p.default_model THEN 'default'
               WHEN named.model = ANY (p.fallback_chain) THEN 'fallback' ELSE 'allowed' END AS use
     FROM gateway.model_preference p
    CROSS JOIN LATERAL (SELECT DISTINCT model
                          FROM unnest(array_append(p.fallback_chain, p.default_model) || p.allowed_models) AS model
                         WHERE model IS NOT NULL) AS named
    WHERE $1::uuid IS NULL OR p.organization_id IS NULL OR p.organization_id = $1::uuid`;

/** How many of all preferences name a model for a capability. $1 as in `PREFERENCES` */
export const NAMED_MODELS = statement(
  'gateway_models_of_preferences',
  `SELECT model, capability, count(*)::int AS preferences FROM (${USES}) AS uses GROUP BY model, capability`,
);

/**
 * Which preferences name models for capabilities, each pair once before others again, the platform's first.
 * $1 as in `PREFERENCES`, $2 models and $3 their capabilities, $4 rows
 */
export const USES_OF = statement(
  'gateway_uses_of_models',
  `SELECT model, capability, use, organization_id AS "organizationId"
     FROM (SELECT uses.*, row_number() OVER (PARTITION BY model, capability
                                             ORDER BY organization_id NULLS FIRST) AS place
             FROM (${USES}) AS uses
            WHERE (model, capability) IN (SELECT * FROM unnest($2::text[], $3::text[]))) AS placed
    ORDER BY place, organization_id NULLS FIRST, capability, model LIMIT $4`,
);

export const COUNT_OVERRIDES = statement(
  'gateway_count_preference_overrides',
  `SELECT count(*)::int AS total FROM gateway.model_preference
    WHERE organization_id IS NOT NULL AND ($1::uuid IS NULL OR organization_id = $1::uuid)`,
);

/** Prices that operators set in place of those of the sources. $1 rows */
export const PRICE_OVERRIDES = statement(
  'gateway_price_overrides',
  `SELECT provider || '/' || model AS model, prices, starts_at AS "startsAt" FROM gateway.model_price
    WHERE source = 'operator' ORDER BY provider, model, starts_at LIMIT $1`,
);

/**
 * Active models that a provider or the open catalog has and that are neither named nor used, the latest first. $1 names that are
 * taken, $2 names that are allowed or null, $3 rows
 */
export const CANDIDATES = statement(
  'gateway_candidate_models',
  `SELECT ${MODEL_COLUMNS}, latest.total
     FROM (SELECT m.provider, m.id, upstream.seen, count(*) OVER ()::int AS total
             FROM (SELECT provider, model AS id, min(first_seen_at) AS seen FROM gateway.model_observation
                    WHERE source <> 'genai-prices' AND missing_since IS NULL GROUP BY provider, model) AS upstream
             JOIN gateway.model m USING (provider, id)
            WHERE ${lifecycleNow('m')} = 'active' AND m.capabilities <> '{}'
              AND m.provider || '/' || m.id <> ALL ($1::text[])
              AND ($2::text[] IS NULL OR m.provider || '/' || m.id = ANY ($2::text[]))
            ORDER BY upstream.seen DESC, m.provider, m.id LIMIT $3) AS latest
     JOIN gateway.model m USING (provider, id) ${MODEL_JOINS}
    ORDER BY latest.seen DESC, m.provider, m.id`,
);

export const SOURCES = statement(
  'gateway_catalog_sources',
  `SELECT name AS source, version, outcome, detail, models, rejected, failures, attempted_at AS "attemptedAt",
          succeeded_at AS "succeededAt" FROM gateway.catalog_source ORDER BY name`,
);
