import type { MigrationInterface, QueryRunner } from 'typeorm';

const DOUBT = `
ALTER TABLE gateway.usage ADD COLUMN doubt text CHECK (doubt IN ('implausible', 'uncosted'));
CREATE INDEX usage_doubted ON gateway.usage (id) WHERE doubt IS NOT NULL;
COMMENT ON COLUMN gateway.usage.doubt IS
  'Why a person should look at the attempt: counts beyond the window of its model, or in a unit without a price.';
`;

/** @param rank SQL of a source */
const ranked = (rank: string): string => `
DROP VIEW gateway.current_model_price;
ALTER TABLE gateway.model_price DROP CONSTRAINT model_price_pkey, DROP COLUMN rank;
ALTER TABLE gateway.model_price ADD COLUMN rank smallint NOT NULL GENERATED ALWAYS AS (${rank}) STORED,
  ADD PRIMARY KEY (provider, model, rank, starts_at);
CREATE VIEW gateway.current_model_price AS
  SELECT DISTINCT ON (provider, model) provider, model, starts_at, prices, source
    FROM gateway.model_price WHERE starts_at <= now()
   ORDER BY provider, model, rank, starts_at DESC;
`;

const WITH_PROVIDERS = `CASE source WHEN 'operator' THEN 0 WHEN 'genai-prices' THEN 2 WHEN 'catalog' THEN 3 ELSE 1 END`;
const FORMER = `CASE source WHEN 'operator' THEN 0 WHEN 'genai-prices' THEN 1 ELSE 2 END`;

/** Attempts that need a person, and prices of providers themselves, which count before those of the package. */
export class DoubtedUsage1790000002100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DOUBT);
    await runner.query(ranked(WITH_PROVIDERS));
  }

  /** A provider's own prices have no place in the former order. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM gateway.model_price WHERE source NOT IN ('operator', 'genai-prices', 'catalog')`,
    );
    await runner.query(ranked(FORMER));
    await runner.query('ALTER TABLE gateway.usage DROP COLUMN doubt');
  }
}
