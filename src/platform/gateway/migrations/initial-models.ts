/**
 * The catalog of models. `accepts`: what sources say that requests to a model may hold. `refused_at`: when a provider said during a
 * call that it does not have the model, whatever its list says.
 */
export const CATALOG = `
  CREATE TABLE gateway.model (
    provider text NOT NULL CHECK (provider ~ '^[a-z][a-z0-9-]{0,62}$'),
    id text NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
    name text NOT NULL,
    capabilities text[] NOT NULL DEFAULT '{}'
      CHECK (capabilities <@ ARRAY['completions', 'images', 'transcriptions']),
    context_window int CHECK (context_window > 0),
    max_output_tokens int CHECK (max_output_tokens > 0),
    lifecycle text NOT NULL DEFAULT 'active' CHECK (lifecycle IN ('active', 'deprecated', 'retired')),
    deprecated_at date,
    retires_at date,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    refused_at timestamptz,
    accepts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(accepts) = 'object'),
    PRIMARY KEY (provider, id)
  );
  CREATE INDEX model_capabilities ON gateway.model USING gin (capabilities);
  COMMENT ON COLUMN gateway.model.accepts IS
    'What sources say that requests may hold: temperature, stop, tools, schema. A member that is missing is not known.';

  CREATE TABLE gateway.model_observation (
    provider text NOT NULL,
    model text NOT NULL,
    source text NOT NULL,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    missing_since timestamptz,
    stage text NOT NULL DEFAULT 'active' CHECK (stage IN ('active', 'deprecated', 'retired')),
    PRIMARY KEY (provider, model, source),
    FOREIGN KEY (provider, model) REFERENCES gateway.model ON DELETE CASCADE
  );
  COMMENT ON COLUMN gateway.model_observation.missing_since IS
    'When the source was first read completely without the model.';

  CREATE TABLE gateway.catalog_source (
    name text PRIMARY KEY,
    version text,
    attempted_at timestamptz,
    succeeded_at timestamptz,
    outcome text CHECK (outcome IN ('done', 'failed', 'skipped')),
    detail text,
    models int NOT NULL DEFAULT 0,
    rejected int NOT NULL DEFAULT 0,
    failures int NOT NULL DEFAULT 0
  );
  COMMENT ON COLUMN gateway.catalog_source.failures IS 'Failed attempts since the last success.'`;

/**
 * `rank`: prices that an operator sets come first, then those of providers themselves, those of the package, and the open
 * catalog's.
 */
export const PRICES = `
  CREATE TABLE gateway.model_price (
    provider text NOT NULL,
    model text NOT NULL,
    starts_at timestamptz NOT NULL,
    prices jsonb NOT NULL CHECK (jsonb_typeof(prices) = 'object'),
    source text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    rank smallint NOT NULL GENERATED ALWAYS AS (
      CASE source WHEN 'operator' THEN 0 WHEN 'genai-prices' THEN 2 WHEN 'catalog' THEN 3 ELSE 1 END) STORED,
    PRIMARY KEY (provider, model, rank, starts_at)
  );
  CREATE VIEW gateway.current_model_price AS
    SELECT DISTINCT ON (provider, model) provider, model, starts_at, prices, source
      FROM gateway.model_price WHERE starts_at <= now()
     ORDER BY provider, model, rank, starts_at DESC`;

/** Which models organizations use. A preference without a chain of its own uses the platform's. */
export const MODEL_PREFERENCES = `
  CREATE TABLE gateway.model_preference (
    organization_id uuid,
    capability text NOT NULL CHECK (capability IN ('completions', 'images', 'transcriptions')),
    default_model text,
    allowed_models text[],
    fallback_chain text[],
    version int NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    updated_by uuid,
    fallback_on_policy boolean NOT NULL DEFAULT false,
    UNIQUE NULLS NOT DISTINCT (organization_id, capability)
  );
  COMMENT ON COLUMN gateway.model_preference.fallback_on_policy IS
    'Whether the next model is tried after a refusal by the content policy of a provider.';

  CREATE TABLE gateway.model_alarm (
    provider text NOT NULL,
    model text NOT NULL,
    retires_at date NOT NULL,
    raised_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (provider, model, retires_at)
  )`;
