import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * A correction is two entries: the version of the attempt that it replaces with sign -1, and the new one with sign 1. They have all that
 * sums tell apart, so that the rows of attempts stay as they were settled, and may be deleted first.
 */
const CORRECTIONS = `
ALTER TABLE gateway.usage ADD COLUMN claim jsonb;
COMMENT ON COLUMN gateway.usage.claim IS
  'What the provider said that the attempt consumed, where it is not believed: usage, and billed in billionths of a dollar.';
COMMENT ON COLUMN gateway.usage.doubt IS
  'Why a person should look at the attempt, until a correction: counts beyond the window of its model, or in a unit without a price.';
COMMENT ON COLUMN gateway.usage.swept IS
  'A sweep settled the row as unknown. Its call may still correct it, once, unless a person did: then it is false again.';

CREATE TABLE gateway.usage_correction (
  usage_id uuid NOT NULL,
  number smallint NOT NULL CHECK (number > 0),
  sign smallint NOT NULL CHECK (sign IN (-1, 1)),
  attempt smallint NOT NULL,
  organization_id uuid NOT NULL,
  application_id uuid NOT NULL,
  application text NOT NULL,
  user_id uuid,
  capability text NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  credential_id uuid NOT NULL,
  estimate bigint,
  reserved_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('done', 'failed', 'unknown', 'estimated')),
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
  doubt text,
  reason text NOT NULL,
  corrected_by uuid NOT NULL,
  corrected_at timestamptz NOT NULL DEFAULT now(),
  corrected_transaction xid8 NOT NULL,
  PRIMARY KEY (usage_id, number, sign)
);
CREATE INDEX usage_correction_transaction ON gateway.usage_correction (corrected_transaction);
COMMENT ON TABLE gateway.usage_correction IS
  'Attempts as platform administrators corrected them. Rows are only added, until those of their attempts are deleted.';
COMMENT ON COLUMN gateway.usage_correction.doubt IS 'Of the version that is replaced.';
`;

/** Corrections of usage, and what providers said where it is not believed. */
export class UsageCorrections1790000002200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CORRECTIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway.usage_correction; ALTER TABLE gateway.usage DROP COLUMN claim');
  }
}
