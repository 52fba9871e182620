import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Amounts are billionths of a US dollar. The indexes are those that the hot statements and the sweep need: each one is written twice
 * for a call. settled_transaction and corrected_transaction order changes for the rollups.
 */
const USAGE = `
CREATE TABLE gateway.usage (
  id uuid PRIMARY KEY,
  request_id uuid NOT NULL,
  attempt smallint NOT NULL CHECK (attempt > 0),
  organization_id uuid NOT NULL,
  application_id uuid NOT NULL,
  application text NOT NULL,
  user_id uuid,
  capability text NOT NULL,
  provider text NOT NULL,
  credential_id uuid NOT NULL,
  model text NOT NULL,
  returned_model text,
  state text NOT NULL DEFAULT 'reserved'
    CHECK (state IN ('reserved', 'done', 'failed', 'unknown', 'estimated', 'released')),
  failure text,
  provider_request_id text,
  milliseconds integer,
  estimate bigint CHECK (estimate >= 0),
  cost bigint CHECK (cost >= 0),
  input_tokens bigint,
  cached_input_tokens bigint,
  cache_write_tokens bigint,
  output_tokens bigint,
  input_image_tokens bigint,
  output_image_tokens bigint,
  input_audio_tokens bigint,
  audio_seconds double precision,
  images bigint,
  reserved_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  swept boolean NOT NULL DEFAULT false,
  settled_transaction xid8,
  corrected_transaction xid8,
  CHECK ((state = 'reserved') = (settled_at IS NULL)),
  CHECK ((state = 'reserved') = (settled_transaction IS NULL)),
  CHECK (corrected_transaction IS NULL OR swept)
);
CREATE INDEX usage_reserved ON gateway.usage (reserved_at) WHERE state = 'reserved';
CREATE INDEX usage_settled ON gateway.usage (settled_transaction) WHERE settled_transaction IS NOT NULL;
CREATE INDEX usage_corrected ON gateway.usage (corrected_transaction) WHERE corrected_transaction IS NOT NULL;
COMMENT ON TABLE gateway.usage IS 'One row for each attempt at a provider.';
COMMENT ON COLUMN gateway.usage.swept IS
  'A sweep settled the row as unknown. Its call may still correct it, once.';
`;

const LIMITS = `
CREATE TABLE gateway.spend_limit (
  id uuid PRIMARY KEY,
  scope_type text NOT NULL,
  scope_value text NOT NULL,
  organization_id uuid,
  scope text NOT NULL GENERATED ALWAYS AS (CASE scope_type
    WHEN 'platform' THEN 'platform'
    WHEN 'organization' THEN 'organization:' || scope_value
    ELSE 'application:' || scope_value || coalesce(':' || organization_id::text, '') END) STORED,
  period text NOT NULL CHECK (period IN ('day', 'month')),
  hard bigint CHECK (hard > 0),
  soft bigint CHECK (soft > 0),
  version integer NOT NULL DEFAULT 1,
  counted_from timestamptz NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (hard IS NOT NULL OR soft IS NOT NULL),
  CHECK (soft <= hard),
  CHECK (CASE scope_type
    WHEN 'platform' THEN scope_value = 'platform' AND organization_id IS NULL
    WHEN 'organization' THEN organization_id IS NOT NULL AND scope_value = organization_id::text
    WHEN 'application' THEN scope_value = scope_value::uuid::text
    ELSE false END),
  UNIQUE (scope, period)
);
CREATE INDEX spend_limit_organization ON gateway.spend_limit (organization_id);
COMMENT ON COLUMN gateway.spend_limit.counted_from IS
  'Every attempt that was reserved later is in the counter. Earlier ones of its window were added when the limit was created.';

CREATE TABLE gateway.spend_counter (
  scope text NOT NULL,
  period text NOT NULL,
  starts_on date NOT NULL,
  reserved bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0,
  alarmed_at timestamptz,
  PRIMARY KEY (scope, period, starts_on)
) WITH (fillfactor = 50);
COMMENT ON TABLE gateway.spend_counter IS
  'What a limit has counted in a day or month (UTC): reservations of running attempts, and what settled ones cost.';
`;

/** Attempts, limits of spend and their counters. */
export class Spend1790000000354 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(USAGE);
    await runner.query(LIMITS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway.spend_counter, gateway.spend_limit, gateway.usage');
  }
}
