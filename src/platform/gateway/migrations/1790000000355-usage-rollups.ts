import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Levels: `platform` has no organization, user and credential; `organization` has no user. A report reads the smallest level that has
 * its columns. counted_before: everything that was settled or corrected by an earlier transaction is in the rollups.
 */
const TABLES = `
CREATE TABLE gateway.usage_rollup (
  level text NOT NULL CHECK (level IN ('platform', 'organization', 'user')),
  period text NOT NULL CHECK (period IN ('day', 'month')),
  starts_on date NOT NULL,
  organization_id uuid,
  application_id uuid NOT NULL,
  application text NOT NULL,
  user_id uuid,
  capability text NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  credential_id uuid,
  calls bigint NOT NULL,
  attempts bigint NOT NULL,
  failed bigint NOT NULL,
  unknown bigint NOT NULL,
  estimated bigint NOT NULL,
  unpriced bigint NOT NULL,
  released bigint NOT NULL,
  cost bigint NOT NULL,
  uncertain_cost bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  input_image_tokens bigint NOT NULL,
  output_image_tokens bigint NOT NULL,
  input_audio_tokens bigint NOT NULL,
  audio_milliseconds bigint NOT NULL,
  images bigint NOT NULL,
  CONSTRAINT usage_rollup_key UNIQUE NULLS NOT DISTINCT
    (level, period, organization_id, starts_on, application_id, application, user_id, capability, provider, model,
     credential_id)
);
CREATE INDEX usage_rollup_time ON gateway.usage_rollup (level, period, starts_on);
CREATE TABLE gateway.usage_rollup_state (
  is_single boolean PRIMARY KEY DEFAULT true CHECK (is_single),
  counted_before xid8 NOT NULL DEFAULT '0',
  rows_from date NOT NULL DEFAULT '0001-01-01'
);
INSERT INTO gateway.usage_rollup_state DEFAULT VALUES;
COMMENT ON COLUMN gateway.usage_rollup_state.rows_from IS
  'First of a month. Rows of gateway.usage that were reserved before may be deleted; their rollups are kept.';
`;

/** Usage per day and month. */
export class UsageRollups1790000000355 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway.usage_rollup_state, gateway.usage_rollup');
  }
}
