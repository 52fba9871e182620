import type { MigrationInterface, QueryRunner } from 'typeorm';

const CATALOG = `
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
  replacement text,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, id)
);
CREATE INDEX model_capabilities ON gateway.model USING gin (capabilities);
CREATE TABLE gateway.model_observation (
  provider text NOT NULL,
  model text NOT NULL,
  source text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  missing_since timestamptz,
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
COMMENT ON COLUMN gateway.catalog_source.failures IS 'Failed attempts since the last success.';
`;

/** `rank`: prices that an operator sets come before those of the package, and those before the open catalog's. */
const PRICES = `
CREATE TABLE gateway.model_price (
  provider text NOT NULL,
  model text NOT NULL,
  starts_at timestamptz NOT NULL,
  prices jsonb NOT NULL CHECK (jsonb_typeof(prices) = 'object'),
  source text NOT NULL,
  rank smallint NOT NULL GENERATED ALWAYS AS (
    CASE source WHEN 'operator' THEN 0 WHEN 'genai-prices' THEN 1 ELSE 2 END) STORED,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, model, rank, starts_at)
);
CREATE VIEW gateway.current_model_price AS
  SELECT DISTINCT ON (provider, model) provider, model, starts_at, prices, source
    FROM gateway.model_price WHERE starts_at <= now()
   ORDER BY provider, model, rank, starts_at DESC;
`;

const PREFERENCES = `
CREATE TABLE gateway.model_preference (
  organization_id uuid,
  capability text NOT NULL CHECK (capability IN ('completions', 'images', 'transcriptions')),
  default_model text,
  allowed_models text[],
  fallback_chain text[] NOT NULL DEFAULT '{}',
  version int NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by uuid,
  UNIQUE NULLS NOT DISTINCT (organization_id, capability)
);
CREATE TABLE gateway.model_alarm (
  provider text NOT NULL,
  model text NOT NULL,
  retires_at date NOT NULL,
  raised_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, model, retires_at)
);
`;

/** The catalog of models, their prices, and which of them organizations use. */
export class Models1790000000357 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const tables of [CATALOG, PRICES, PREFERENCES]) await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE gateway.model_alarm, gateway.model_preference;
      DROP VIEW gateway.current_model_price;
      DROP TABLE gateway.model_price, gateway.catalog_source, gateway.model_observation, gateway.model;
    `);
  }
}
