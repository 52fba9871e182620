import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EMAIL_FEEDBACK, EMAIL_OUTBOX, EMAIL_SENDERS } from './initial-email.js';
import { CATALOG, MODEL_PREFERENCES, PRICES } from './initial-models.js';
import { PAYMENT_EVENTS, PAYMENT_OBJECTS, PAYMENT_OPERATIONS } from './initial-payments.js';
import { SPEND_LIMITS } from './initial-spend.js';
import { CORRECTIONS, USAGE, USAGE_SUMS } from './initial-usage.js';

/**
 * Credentials of providers: the secret is encrypted, the rest is what operators and circuit breakers need. The columns of the breaker
 * are for what concerns all models; `model_breaker` is for single ones.
 */
const CREDENTIALS = `
  CREATE TABLE gateway.credential (
    id uuid PRIMARY KEY,
    provider text NOT NULL CHECK (provider ~ '^[a-z][a-z0-9-]{0,62}$'),
    organization_id uuid,
    position int NOT NULL,
    label text NOT NULL,
    data_key text NOT NULL,
    secret text NOT NULL,
    hint text NOT NULL,
    project text,
    enabled boolean NOT NULL DEFAULT true,
    failing_since timestamptz,
    breaker_open_until timestamptz,
    breaker_reason text,
    checked_at timestamptz,
    check_result jsonb,
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    rotated_at timestamptz,
    deleted_at timestamptz,
    breaker_failures int NOT NULL DEFAULT 0 CHECK (breaker_failures >= 0),
    breaker_failed_at timestamptz,
    CHECK (deleted_at IS NULL OR (data_key = '' AND secret = ''))
  );
  CREATE INDEX credential_in_order ON gateway.credential (provider, organization_id, position, id) WHERE deleted_at IS NULL;
  CREATE INDEX credential_of_organization ON gateway.credential (organization_id, id) WHERE deleted_at IS NULL;
  COMMENT ON COLUMN gateway.credential.organization_id IS 'null: the default of the platform';
  COMMENT ON COLUMN gateway.credential.data_key IS
    'key of this record, encrypted with a key of GATEWAY_ENCRYPTION_KEYS and bound to record, organization and provider';
  COMMENT ON COLUMN gateway.credential.secret IS 'encrypted with the data key and bound to record, organization and provider';
  COMMENT ON COLUMN gateway.credential.breaker_open_until IS 'infinity: until a check of the credential succeeds';
  COMMENT ON COLUMN gateway.credential.breaker_failures IS
    'failures in a row, each at most a minute after the one before; enough of them open the breaker';
  COMMENT ON COLUMN gateway.credential.deleted_at IS 'the row stays for usage and audit, without its secret';

  CREATE TABLE gateway.model_breaker (
    credential_id uuid NOT NULL REFERENCES gateway.credential ON DELETE CASCADE,
    model text NOT NULL,
    failures int NOT NULL CHECK (failures >= 0),
    failed_at timestamptz NOT NULL,
    open_until timestamptz,
    reason text,
    PRIMARY KEY (credential_id, model)
  );
  COMMENT ON TABLE gateway.model_breaker IS
    'failures of one model with one credential: rate limits, overloads, silence; a row is deleted when the model answers';
  COMMENT ON COLUMN gateway.model_breaker.model IS 'the provider''s own name';
  COMMENT ON COLUMN gateway.model_breaker.failures IS
    'failures in a row, each at most a minute after the one before; enough of them open the breaker';
  COMMENT ON COLUMN gateway.model_breaker.open_until IS
    'in the past: one call of all replicas may claim the probe; during a probe the end of its lease'`;

/** Who changed what in the gateway. The database refuses to change or remove rows. */
const AUDIT = `
  CREATE TABLE gateway.audit (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    action text NOT NULL,
    organization_id uuid,
    actor_type text NOT NULL,
    actor_id uuid,
    target_type text NOT NULL,
    target_id text NOT NULL,
    request_id text,
    details jsonb NOT NULL DEFAULT '{}'
  );
  CREATE INDEX audit_of_organization ON gateway.audit (organization_id, id DESC);
  COMMENT ON COLUMN gateway.audit.organization_id IS 'null: a change of the platform';

  CREATE FUNCTION gateway.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'Audit rows are append-only.' USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON gateway.audit
    FOR EACH ROW EXECUTE FUNCTION gateway.refuse_change();
  CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON gateway.audit
    FOR EACH STATEMENT EXECUTE FUNCTION gateway.refuse_change()`;

/** Quota of the video provider, and its upload sessions. */
const VIDEO = `
  CREATE TABLE gateway.video_quota (
    project text NOT NULL,
    day date NOT NULL,
    bucket text NOT NULL,
    used bigint NOT NULL CHECK (used >= 0),
    exhausted boolean NOT NULL DEFAULT false,
    closed_until timestamptz,
    PRIMARY KEY (project, day, bucket)
  );
  COMMENT ON COLUMN gateway.video_quota.closed_until IS
    'Of an exhausted bucket: when calls are tried again. null: not before the end of the day.';

  CREATE TABLE gateway.video_quota_entry (
    id uuid PRIMARY KEY,
    project text NOT NULL,
    day date NOT NULL,
    bucket text NOT NULL,
    units bigint NOT NULL CHECK (units > 0),
    call text NOT NULL,
    application_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'reserved'
      CHECK (state IN ('reserved', 'done', 'refused', 'unknown', 'released')),
    created_at timestamptz NOT NULL DEFAULT now(),
    settled_at timestamptz,
    CHECK ((state = 'reserved') = (settled_at IS NULL))
  );
  CREATE INDEX video_quota_entry_usage
    ON gateway.video_quota_entry (project, day, application_id, organization_id);
  CREATE INDEX video_quota_entry_reserved ON gateway.video_quota_entry (created_at) WHERE state = 'reserved';

  CREATE TABLE gateway.video_upload (
    id uuid PRIMARY KEY,
    application_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    bytes bigint NOT NULL CHECK (bytes > 0),
    session text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX video_upload_created ON gateway.video_upload (created_at);
  COMMENT ON COLUMN gateway.video_upload.session IS
    'Address of the upload session, encrypted and bound to the row. It is a credential.'`;

const SQL = [
  CREDENTIALS,
  AUDIT,
  VIDEO,
  CATALOG,
  PRICES,
  MODEL_PREFERENCES,
  USAGE,
  CORRECTIONS,
  USAGE_SUMS,
  SPEND_LIMITS,
  EMAIL_SENDERS,
  EMAIL_OUTBOX,
  EMAIL_FEEDBACK,
  PAYMENT_OPERATIONS,
  PAYMENT_OBJECTS,
  PAYMENT_EVENTS,
];

/** Credentials, audit, video, models, usage and its limits, mail, payments. */
export class Gateway1790001000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA gateway');
    for (const sql of SQL) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA gateway CASCADE');
  }
}
