/** Sender domains and identities, and templates. */
export const EMAIL_SENDERS = `
  CREATE TABLE gateway.email_domain (
    id uuid PRIMARY KEY,
    organization_id uuid,
    name text NOT NULL,
    provider text NOT NULL CHECK (provider IN ('smtp', 'resend')),
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'failed')),
    challenge text NOT NULL,
    check_result text,
    checked_at timestamptz,
    verified_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by uuid,
    UNIQUE NULLS NOT DISTINCT (organization_id, name)
  );
  COMMENT ON COLUMN gateway.email_domain.organization_id IS 'null: a domain of the platform.';
  CREATE UNIQUE INDEX email_domain_one_owner ON gateway.email_domain (name) WHERE status = 'verified';

  CREATE TABLE gateway.email_sender (
    id uuid PRIMARY KEY,
    organization_id uuid,
    domain_id uuid NOT NULL REFERENCES gateway.email_domain (id) ON DELETE CASCADE,
    name text NOT NULL,
    address text NOT NULL,
    reply_to text,
    is_default boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by uuid,
    UNIQUE NULLS NOT DISTINCT (organization_id, address)
  );
  CREATE UNIQUE INDEX email_sender_one_default
    ON gateway.email_sender (coalesce(organization_id, '00000000-0000-0000-0000-000000000000')) WHERE is_default;

  CREATE TABLE gateway.email_template (
    id uuid PRIMARY KEY,
    organization_id uuid,
    name text NOT NULL,
    version int NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    html text,
    variables jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by uuid,
    UNIQUE NULLS NOT DISTINCT (organization_id, name, version)
  )`;

/**
 * Messages are due by organization and kind of credential, so that one slow mail server does not hold all connections.
 * `credential_digest`: another account does not know the idempotency key of a call, and would send again.
 */
export const EMAIL_OUTBOX = `
  CREATE TABLE gateway.email_message (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    application_id uuid NOT NULL,
    user_id uuid,
    provider text NOT NULL,
    is_platform boolean NOT NULL,
    from_name text NOT NULL,
    from_address text NOT NULL,
    reply_to text,
    subject text NOT NULL,
    text text,
    html text,
    headers jsonb NOT NULL,
    template text,
    message_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts int NOT NULL DEFAULT 0,
    due_at timestamptz,
    attempt_id uuid,
    data_at timestamptz,
    call_key text,
    credential_id uuid,
    provider_id text,
    body_deleted_at timestamptz,
    credential_digest text
  );
  COMMENT ON COLUMN gateway.email_message.due_at IS
    'When the outbox works on it next; of a claimed message the end of the lease. null: nothing is left to do.';
  COMMENT ON COLUMN gateway.email_message.attempt_id IS 'Of the claim; the fencing token of the worker.';
  COMMENT ON COLUMN gateway.email_message.data_at IS
    'Stored before the content is written to the provider: from here on the effect of the attempt is in doubt until an outcome is stored.';
  COMMENT ON COLUMN gateway.email_message.credential_id IS
    'Credential of the last attempt whose content was written. Idempotency keys are known to that account only.';
  COMMENT ON COLUMN gateway.email_message.credential_digest IS
    'of the key with which call_key was sent; null: no call';
  COMMENT ON COLUMN gateway.email_message.is_platform IS 'Sent with a credential of the platform.';
  CREATE INDEX email_message_due ON gateway.email_message (organization_id, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX email_message_lanes ON gateway.email_message (organization_id, is_platform, due_at)
    WHERE due_at IS NOT NULL;
  CREATE INDEX email_message_list ON gateway.email_message (organization_id, id DESC);
  CREATE INDEX email_message_provider_id ON gateway.email_message (provider_id) WHERE provider_id IS NOT NULL;
  CREATE INDEX email_message_bodies ON gateway.email_message (created_at) WHERE body_deleted_at IS NULL;

  CREATE TABLE gateway.email_recipient (
    message_id uuid NOT NULL REFERENCES gateway.email_message (id) ON DELETE CASCADE,
    position int NOT NULL,
    kind text NOT NULL CHECK (kind IN ('to', 'cc', 'bcc')),
    name text,
    address text NOT NULL,
    state text NOT NULL CHECK (state IN
      ('queued', 'sending', 'sent', 'uncertain', 'refused', 'bounced', 'complained', 'suppressed', 'delivered')),
    code text,
    detail text,
    attempt_id uuid,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (message_id, position),
    UNIQUE (message_id, address)
  );
  CREATE INDEX email_recipient_address ON gateway.email_recipient (address);
  CREATE INDEX email_recipient_uncertain ON gateway.email_recipient (message_id) WHERE state = 'uncertain';

  CREATE TABLE gateway.email_event (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid NOT NULL REFERENCES gateway.email_message (id) ON DELETE CASCADE,
    position int,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    state text NOT NULL,
    code text,
    detail text,
    source text NOT NULL CHECK (source IN ('outbox', 'webhook', 'resolution'))
  );
  CREATE INDEX email_event_message ON gateway.email_event (message_id, id)`;

/** Suppressions, and events of the provider. */
export const EMAIL_FEEDBACK = `
  CREATE TABLE gateway.email_suppression (
    id uuid PRIMARY KEY,
    organization_id uuid,
    address text NOT NULL,
    reason text NOT NULL CHECK (reason IN ('bounce', 'complaint', 'manual')),
    message_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by uuid,
    UNIQUE NULLS NOT DISTINCT (organization_id, address)
  );
  COMMENT ON COLUMN gateway.email_suppression.organization_id IS 'null: for all organizations that send with the platform''s credentials.';
  CREATE INDEX email_suppression_address ON gateway.email_suppression (address);

  CREATE TABLE gateway.email_webhook (
    id text PRIMARY KEY,
    type text NOT NULL,
    provider_id text NOT NULL,
    organization_id uuid,
    event jsonb NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    applied_at timestamptz
  );
  CREATE INDEX email_webhook_unapplied ON gateway.email_webhook (provider_id) WHERE applied_at IS NULL;
  CREATE INDEX email_webhook_received ON gateway.email_webhook (received_at)`;
