import { statement } from '#libs/database';

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

/**
 * Inserts or updates what a source says, and that it says so. A name or a number that a source does not know keeps its value;
 * capabilities are those of the first source that knows them. $1 entries, $2 source, $3 whether it is a provider
 */
export const RECORD = statement(
  'gateway_record_models',
  `WITH said AS (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS said (provider text, id text, name text, capabilities text[],
       "contextWindow" int, "maxOutputTokens" int, accepts jsonb, stage text, "retiresAt" date)),
   recorded AS (
     INSERT INTO gateway.model AS m (provider, id, name, capabilities, context_window, max_output_tokens, accepts, retires_at)
     SELECT provider, id, coalesce(name, id), coalesce(capabilities, '{}'), "contextWindow", "maxOutputTokens",
            coalesce(accepts, '{}'), "retiresAt"
       FROM said
     ON CONFLICT (provider, id) DO UPDATE SET
       name = coalesce(nullif(excluded.name, excluded.id), m.name),
       capabilities = CASE WHEN m.capabilities = '{}' THEN excluded.capabilities ELSE m.capabilities END,
       context_window = coalesce(excluded.context_window, m.context_window),
       max_output_tokens = coalesce(excluded.max_output_tokens, m.max_output_tokens),
       accepts = m.accepts || excluded.accepts,
       retires_at = CASE WHEN $3 THEN excluded.retires_at ELSE m.retires_at END,
       last_seen_at = now())
   INSERT INTO gateway.model_observation (provider, model, source, stage)
   SELECT provider, id, $2, stage FROM said
   ON CONFLICT (provider, model, source) DO UPDATE
      SET stage = excluded.stage, last_seen_at = now(), missing_since = NULL`,
);

/**
 * One reading is recorded at a time, until the transaction ends: each changes rows of many models, in an order of its own. The lease of
 * synchronizations does not cover the package's, which a starting process stores.
 */
export const TAKE_TURNS = `SELECT pg_advisory_xact_lock(hashtextextended('gateway.model', 0))`;

/** Models that the source no longer has. Those of the transaction's own reading were seen now. $1 source, $2 providers */
export const MARK_MISSING = statement(
  'gateway_mark_missing_models',
  `UPDATE gateway.model_observation SET missing_since = now()
    WHERE source = $1 AND provider = ANY ($2::text[]) AND last_seen_at < now() AND missing_since IS NULL`,
);

const VERSION = `-(\\d{8}|\\d{4}-\\d{2}-\\d{2}|\\d{3})$`;

/** Of an alias: `gpt-4o` stands for `gpt-4o-2024-11-20`, `claude-opus-4-0` for `claude-opus-4-20250514`. @param id SQL */
const baseOf = (id: string) => `regexp_replace(regexp_replace(${id}, '${VERSION}', ''), '-(0|latest)$', '')`;

const isServed = (id: string) => `(${id} !~ '${VERSION}' AND ${baseOf(id)} IN (SELECT base FROM listed))`;

/**
 * Models that other sources name, and that the provider's whole list does not have: the package keeps those that are shut down. An alias
 * of a listed version is served. After `MARK_MISSING`. $1 provider
 */
export const MARK_UNLISTED = statement(
  'gateway_mark_unlisted_models',
  `WITH listed AS MATERIALIZED (
     SELECT DISTINCT ${baseOf('model')} AS base FROM gateway.model_observation
      WHERE provider = $1 AND source = $1 AND missing_since IS NULL
   ), served AS (
     UPDATE gateway.model_observation SET missing_since = NULL
      WHERE provider = $1 AND source = $1 AND missing_since IS NOT NULL AND ${isServed('model')}
   )
   INSERT INTO gateway.model_observation (provider, model, source, missing_since)
   SELECT provider, id, $1, now() FROM gateway.model WHERE provider = $1 AND NOT ${isServed('id')}
   ON CONFLICT (provider, model, source) DO NOTHING`,
);

/** The latest stage that a source gives. The day is that on which a model of the catalog was first seen as deprecated. */
export const SET_LIFECYCLES = statement(
  'gateway_set_lifecycles',
  `UPDATE gateway.model m
      SET lifecycle = said.stage,
          deprecated_at = CASE WHEN said.stage <> 'active' OR m.retires_at IS NOT NULL
            THEN coalesce(m.deprecated_at, CASE WHEN m.first_seen_at < now() THEN ${TODAY} END) END
     FROM (SELECT provider, model, CASE WHEN bool_or(stage = 'retired') THEN 'retired'
                    WHEN bool_or(stage = 'deprecated') THEN 'deprecated' ELSE 'active' END AS stage
             FROM gateway.model_observation GROUP BY provider, model) AS said
    WHERE said.provider = m.provider AND said.model = m.id
      AND (m.lifecycle <> said.stage OR (m.deprecated_at IS NULL) = (said.stage <> 'active' OR m.retires_at IS NOT NULL))`,
);

export const PRICES_OF = statement(
  'gateway_prices_of_source',
  `SELECT provider, model, starts_at AS "startsAt", prices FROM gateway.model_price WHERE source = $1`,
);

/** Models that this transaction added, without a price list of the source. Matching names takes time: others were looked up. $1 source */
export const NEW_MODELS = statement(
  'gateway_new_models_without_prices',
  `SELECT provider, id AS model FROM gateway.model m
    WHERE m.first_seen_at = now()
      AND NOT EXISTS (SELECT FROM gateway.model_price p
                       WHERE p.provider = m.provider AND p.model = m.id AND p.source = $1)`,
);

export const ALL_MODELS = statement('gateway_all_models', `SELECT provider, id AS model FROM gateway.model`);

/** $1 models, $2 source */
export const REMOVE_LATER_PRICES = statement(
  'gateway_remove_later_prices',
  `DELETE FROM gateway.model_price p
    USING jsonb_to_recordset($1::jsonb) AS said (provider text, model text)
    WHERE p.provider = said.provider AND p.model = said.model AND p.source = $2 AND p.starts_at > now()`,
);

/** $1 changes, $2 source */
export const ADD_PRICES = statement(
  'gateway_add_prices',
  `INSERT INTO gateway.model_price (provider, model, starts_at, prices, source)
   SELECT provider, model, "startsAt", prices, $2
     FROM jsonb_to_recordset($1::jsonb) AS added (provider text, model text, "startsAt" timestamptz, prices jsonb)
   ON CONFLICT (provider, model, rank, starts_at) DO UPDATE SET prices = excluded.prices, recorded_at = now()`,
);
