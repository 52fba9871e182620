import { statement } from '#libs/database';
import { MODEL_COLUMNS, MODEL_JOINS } from '../catalog/model-row.js';
import { lifecycleNow } from '../../plan-sql/lifecycle.sql.js';

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
