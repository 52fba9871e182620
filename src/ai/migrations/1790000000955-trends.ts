import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Results of the sources of trends, for each brand and topic or feed, and the suggestions that were made of them. */
export class Trends1790000000955 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ai.trend_feeds (
        brand_id uuid PRIMARY KEY,
        urls text[] NOT NULL,
        version int NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE ai.trend_source (
        brand_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('model', 'feed')),
        key text NOT NULL,
        version int NOT NULL,
        name text NOT NULL,
        dropped int NOT NULL,
        found_version int,
        found_at timestamptz,
        attempted_at timestamptz NOT NULL,
        failure text,
        is_limited boolean NOT NULL,
        retry_at timestamptz,
        PRIMARY KEY (brand_id, kind, key)
      )`);
    await runner.query('CREATE INDEX trend_source_by_age ON ai.trend_source (attempted_at)');
    await runner.query(`
      COMMENT ON TABLE ai.trend_source IS
        'The last outcome of a source. version: of the outcome; found_version: of the last one with trends'`);
    await createTrends(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ai.trend_suggestion, ai.trend, ai.trend_source, ai.trend_feeds');
  }
}

async function createTrends(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE ai.trend (
      id uuid PRIMARY KEY,
      brand_id uuid NOT NULL,
      kind text NOT NULL,
      key text NOT NULL,
      identity bytea NOT NULL,
      title text NOT NULL,
      summary text NOT NULL,
      link text,
      published_at timestamptz,
      source_name text NOT NULL,
      first_seen_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL,
      seen_version int NOT NULL,
      FOREIGN KEY (brand_id, kind, key) REFERENCES ai.trend_source ON DELETE CASCADE,
      UNIQUE (brand_id, kind, key, identity)
    )`);
  await runner.query('CREATE INDEX trend_by_age ON ai.trend (seen_at)');
  await runner.query(`
    CREATE TABLE ai.trend_suggestion (
      trend_id uuid NOT NULL REFERENCES ai.trend ON DELETE CASCADE,
      platform text NOT NULL,
      post_id uuid NOT NULL,
      PRIMARY KEY (trend_id, platform)
    )`);
}
