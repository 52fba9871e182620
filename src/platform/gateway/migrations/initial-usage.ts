/**
 * Amounts are billionths of a US dollar. The indexes are those that the hot statements and the sweep need: each one is written twice
 * for a call. settled_transaction and corrected_transaction order changes for the sums.
 */
export const USAGE = `
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
    doubt text CHECK (doubt IN ('implausible', 'uncosted')),
    claim jsonb,
    CHECK ((state = 'reserved') = (settled_at IS NULL)),
    CHECK ((state = 'reserved') = (settled_transaction IS NULL)),
    CHECK (corrected_transaction IS NULL OR swept)
  );
  CREATE INDEX usage_reserved ON gateway.usage (reserved_at) WHERE state = 'reserved';
  CREATE INDEX usage_settled ON gateway.usage (settled_transaction) WHERE settled_transaction IS NOT NULL;
  CREATE INDEX usage_corrected ON gateway.usage (corrected_transaction) WHERE corrected_transaction IS NOT NULL;
  CREATE INDEX usage_doubted ON gateway.usage (id) WHERE doubt IS NOT NULL;
  COMMENT ON TABLE gateway.usage IS 'One row for each attempt at a provider.';
  COMMENT ON COLUMN gateway.usage.claim IS
    'What the provider said that the attempt consumed, where it is not believed: usage, and billed in billionths of a dollar.';
  COMMENT ON COLUMN gateway.usage.doubt IS
    'Why a person should look at the attempt, until a correction: counts beyond the window of its model, or in a unit without a price.';
  COMMENT ON COLUMN gateway.usage.swept IS
    'A sweep settled the row as unknown. Its call may still correct it, once, unless a person did: then it is false again.'`;

/**
 * A correction is two entries: the version of the attempt that it replaces with sign -1, and the new one with sign 1. They have all that
 * sums tell apart, so that the rows of attempts stay as they were settled, and may be deleted first.
 */
export const CORRECTIONS = `
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
  COMMENT ON COLUMN gateway.usage_correction.doubt IS 'Of the version that is replaced.'`;

const LEVELS = ['platform', 'organization', 'user', 'detail'];

/**
 * Usage per day and month. Levels: `platform` has no organization, user and credential; `organization` has no user; `user` has no
 * capability, provider, model and credential; `detail` has all columns. Partitions, because a report reads one level of one period:
 * its rows are next to each other. counted_before: everything that was settled or corrected by an earlier transaction is in the sums.
 */
export const USAGE_SUMS = `
  CREATE TABLE gateway.usage_sum (
    level text NOT NULL,
    period text NOT NULL,
    starts_on date NOT NULL,
    organization_id uuid,
    application_id uuid NOT NULL,
    application text NOT NULL,
    user_id uuid,
    capability text,
    provider text,
    model text,
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
    images bigint NOT NULL
  ) PARTITION BY LIST (level);
  ${LEVELS.map(
    (level) => `
  CREATE TABLE gateway.usage_sum_${level} PARTITION OF gateway.usage_sum FOR VALUES IN ('${level}') PARTITION BY LIST (period);
  CREATE TABLE gateway.usage_sum_${level}_day PARTITION OF gateway.usage_sum_${level} FOR VALUES IN ('day');
  CREATE TABLE gateway.usage_sum_${level}_month PARTITION OF gateway.usage_sum_${level} FOR VALUES IN ('month');`,
  ).join('')}
  ALTER TABLE gateway.usage_sum ADD CONSTRAINT usage_sum_key UNIQUE NULLS NOT DISTINCT
    (organization_id, starts_on, application_id, application, user_id, capability, provider, model, credential_id, level, period);
  CREATE INDEX usage_sum_time ON gateway.usage_sum (starts_on);

  CREATE TABLE gateway.usage_sum_state (
    is_single boolean PRIMARY KEY DEFAULT true CHECK (is_single),
    counted_before xid8 NOT NULL DEFAULT '0',
    rows_from date NOT NULL DEFAULT '0001-01-01'
  );
  INSERT INTO gateway.usage_sum_state DEFAULT VALUES;
  COMMENT ON COLUMN gateway.usage_sum_state.rows_from IS
    'First of a month. Rows of gateway.usage that were reserved before may be deleted; their sums are kept.'`;
