import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests to sources of trends that have no certain outcome yet, as they were first made. */
export class TrendAsks1790000000960 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ai.trend_ask (
        brand_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('model', 'feed')),
        key text NOT NULL,
        idempotency_key uuid NOT NULL,
        organization_id uuid NOT NULL,
        user_id uuid,
        brand_name text NOT NULL,
        asked_at timestamptz NOT NULL,
        PRIMARY KEY (brand_id, kind, key)
      )`);
    await runner.query('CREATE INDEX trend_ask_by_age ON ai.trend_ask (asked_at)');
    await runner.query(`
      COMMENT ON TABLE ai.trend_ask IS
        'A process that takes over sends the same request with the same key, so that it is not billed again'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ai.trend_ask');
  }
}
