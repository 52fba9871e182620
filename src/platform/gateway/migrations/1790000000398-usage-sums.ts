import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Levels: `platform` has no organization, user and credential; `organization` has no user; `user` has no capability, provider, model
 * and credential; `detail` has all columns. Partitions, because a report reads one level of one period: its rows are next to each
 * other. counted_before: everything that was settled or corrected by an earlier transaction is in the sums.
 */
const LEVELS = ['platform', 'organization', 'user', 'detail'];

const TABLES = `
CREATE TABLE gateway.usage_sum (LIKE gateway.usage_rollup) PARTITION BY LIST (level);
ALTER TABLE gateway.usage_sum ALTER capability DROP NOT NULL, ALTER provider DROP NOT NULL, ALTER model DROP NOT NULL;
${LEVELS.map(
  (level) => `
CREATE TABLE gateway.usage_sum_${level} PARTITION OF gateway.usage_sum FOR VALUES IN ('${level}') PARTITION BY LIST (period);
CREATE TABLE gateway.usage_sum_${level}_day PARTITION OF gateway.usage_sum_${level} FOR VALUES IN ('day');
CREATE TABLE gateway.usage_sum_${level}_month PARTITION OF gateway.usage_sum_${level} FOR VALUES IN ('month');`,
).join('')}
CREATE TABLE gateway.usage_sum_state (
  is_single boolean PRIMARY KEY DEFAULT true CHECK (is_single),
  counted_before xid8 NOT NULL DEFAULT '0',
  rows_from date NOT NULL DEFAULT '0001-01-01'
);
COMMENT ON COLUMN gateway.usage_sum_state.rows_from IS
  'First of a month. Rows of gateway.usage that were reserved before may be deleted; their sums are kept.';
`;

const MEASURES = [
  'calls',
  'attempts',
  'failed',
  'unknown',
  'estimated',
  'unpriced',
  'released',
  'cost',
  'uncertain_cost',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'input_image_tokens',
  'output_image_tokens',
  'input_audio_tokens',
  'audio_milliseconds',
  'images',
];
const PEOPLE = 'period, starts_on, organization_id, application_id, application, user_id';
const REST = 'capability, provider, model, credential_id';

/**
 * The former rollups and their position, as one snapshot sees them: they commit together. Processes of the former release count on
 * in the former tables meanwhile, and nobody waits. What is settled later is counted here from its rows.
 */
const COPY = `
WITH copied AS (
  INSERT INTO gateway.usage_sum (level, ${PEOPLE}, ${REST}, ${MEASURES.join(', ')})
  SELECT CASE level WHEN 'user' THEN 'detail' ELSE level END, ${PEOPLE}, ${REST}, ${MEASURES.join(', ')}
  FROM gateway.usage_rollup
  UNION ALL
  SELECT 'user', ${PEOPLE}, NULL, NULL, NULL, NULL, ${MEASURES.map((name) => `sum(${name})`).join(', ')}
  FROM gateway.usage_rollup WHERE level = 'user' GROUP BY ${PEOPLE}
  ORDER BY starts_on, organization_id
)
INSERT INTO gateway.usage_sum_state (counted_before, rows_from)
SELECT counted_before, rows_from FROM gateway.usage_rollup_state`;

const INDEXES = `
ALTER TABLE gateway.usage_sum ADD CONSTRAINT usage_sum_key UNIQUE NULLS NOT DISTINCT
  (organization_id, starts_on, application_id, application, user_id, capability, provider, model, credential_id, level, period);
CREATE INDEX usage_sum_time ON gateway.usage_sum (starts_on);
COMMENT ON TABLE gateway.usage_rollup IS
  'Only for processes of the release before gateway.usage_sum. A later release drops it, with gateway.usage_rollup_state.';
`;

/** Usage per day and month in partitions, and with sums per person. */
export class UsageSums1790000000398 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(COPY);
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway.usage_sum_state, gateway.usage_sum');
    await runner.query('COMMENT ON TABLE gateway.usage_rollup IS NULL');
  }
}
