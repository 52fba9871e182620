import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Results of the sources of trends, for each brand and topic or feed, and the suggestions that were made of them. */
const TRENDS = `
  CREATE TABLE ai.trend_feeds (
    brand_id uuid PRIMARY KEY,
    urls text[] NOT NULL,
    version int NOT NULL,
    updated_at timestamptz NOT NULL
  );

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
  );
  CREATE INDEX trend_source_by_age ON ai.trend_source (attempted_at);
  COMMENT ON TABLE ai.trend_source IS
    'The last outcome of a source. version: of the outcome; found_version: of the last one with trends';

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
  );
  CREATE INDEX trend_by_age ON ai.trend (seen_at);

  CREATE TABLE ai.trend_suggestion (
    trend_id uuid NOT NULL REFERENCES ai.trend ON DELETE CASCADE,
    platform text NOT NULL,
    post_id uuid NOT NULL,
    PRIMARY KEY (trend_id, platform)
  )`;

/** Requests to sources of trends that have no certain outcome yet, as they were first made. */
const TREND_ASKS = `
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
  );
  CREATE INDEX trend_ask_by_age ON ai.trend_ask (asked_at);
  COMMENT ON TABLE ai.trend_ask IS
    'A process that takes over sends the same request with the same key, so that it is not billed again'`;

/**
 * Requests for pictures with an Idempotency-Key, written before the payment: after a kill or a lost connection another process repeats
 * the call to the gateway with the same key, which does not pay again. `image_order` is everything that the call and the file need;
 * `due_at` is the end of the claim of the process that works on it, `attempts` its fencing token. Both are null once the picture is
 * stored; `result` is the response then. `fingerprint` is that of the order without its time limit.
 */
const KEYED_IMAGES = `
  CREATE TABLE ai.keyed_image (
    key text PRIMARY KEY,
    fingerprint text NOT NULL,
    image_order jsonb,
    attempts int NOT NULL DEFAULT 1,
    due_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    result jsonb,
    CHECK ((result IS NULL) = (image_order IS NOT NULL) AND (result IS NULL) = (due_at IS NOT NULL))
  );
  CREATE INDEX keyed_image_due ON ai.keyed_image (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX keyed_image_by_age ON ai.keyed_image (created_at)`;

/** Trends and pictures. */
export class Ai1790001000950 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA ai');
    for (const sql of [TRENDS, TREND_ASKS, KEYED_IMAGES]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA ai CASCADE');
  }
}
