const OPEN = `target IS NOT NULL AND object_id IS NULL AND state IN ('running', 'unknown')`;

/**
 * Operations at the payment provider. `key_digest` and `account`: an operation can continue with another key of the same account, and
 * not of another one. One operation is open for each object that is changed, whichever credential it uses: an account can have several.
 */
export const PAYMENT_OPERATIONS = `
  CREATE TABLE gateway.payment_operation (
    id uuid PRIMARY KEY,
    application_id uuid NOT NULL,
    application text NOT NULL,
    organization_id uuid NOT NULL,
    user_id uuid,
    credential_id uuid NOT NULL,
    kind text NOT NULL,
    target text,
    request jsonb,
    request_hash text NOT NULL,
    caller_key text,
    state text NOT NULL DEFAULT 'running'
      CHECK (state IN ('running', 'done', 'failed', 'unknown', 'unresolved')),
    attempts int NOT NULL DEFAULT 1,
    due_at timestamptz NOT NULL,
    result jsonb,
    failure jsonb,
    object_id text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz,
    key_digest text,
    account text,
    is_exclusive boolean NOT NULL DEFAULT false
  );
  CREATE UNIQUE INDEX payment_operation_caller_key
    ON gateway.payment_operation (application_id, organization_id, caller_key) WHERE caller_key IS NOT NULL;
  CREATE INDEX payment_operation_due ON gateway.payment_operation (due_at) WHERE state IN ('running', 'unknown');
  CREATE INDEX payment_operation_created ON gateway.payment_operation (created_at);
  CREATE INDEX payment_operation_unresolved ON gateway.payment_operation (id) WHERE state = 'unresolved';
  CREATE UNIQUE INDEX payment_operation_exclusive ON gateway.payment_operation (target, application_id, organization_id)
    WHERE is_exclusive AND ${OPEN};
  CREATE INDEX payment_operation_open_target ON gateway.payment_operation (target, application_id, organization_id)
    WHERE ${OPEN};
  COMMENT ON COLUMN gateway.payment_operation.request IS
    'parameters for the provider, needed to repeat the call with the same key; removed when the operation ends; null while it is open: nothing was sent';
  COMMENT ON COLUMN gateway.payment_operation.due_at IS
    'running: until when its process may call the provider; unknown: when the call is repeated';
  COMMENT ON COLUMN gateway.payment_operation.attempts IS 'fencing: only the last attempt stores an outcome';
  COMMENT ON COLUMN gateway.payment_operation.key_digest IS
    'of the key of the last call; null: no call yet';
  COMMENT ON COLUMN gateway.payment_operation.account IS
    'account and mode of that key; null: the key may not read its account';
  COMMENT ON COLUMN gateway.payment_operation.is_exclusive IS
    'no other operation on its target begins while its effect is possible and not seen'`;

/**
 * Owners of objects by account. An id alone is not enough: an organization signs the events of its own account, and could name an
 * object of another account in one before its owner does.
 */
export const PAYMENT_OBJECTS = `
  CREATE TABLE gateway.payment_account_object (
    credential_id uuid NOT NULL,
    id text NOT NULL,
    application_id uuid NOT NULL,
    application text NOT NULL,
    organization_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (credential_id, id)
  );
  CREATE INDEX payment_account_object_owner
    ON gateway.payment_account_object (id, application_id, organization_id);
  CREATE INDEX payment_account_object_created ON gateway.payment_account_object (created_at);
  COMMENT ON TABLE gateway.payment_account_object IS
    'to which organization and application an object of an account of the payment provider belongs; others get 404'`;

/**
 * Events of the payment provider. Organizations of an application take turns. Events of unknown owners are listed, and found by an
 * object whose owner becomes known; old ones are deleted because of their age.
 */
export const PAYMENT_EVENTS = `
  CREATE TABLE gateway.payment_event (
    id uuid PRIMARY KEY,
    credential_id uuid NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    occurred_at timestamptz NOT NULL,
    object_type text NOT NULL,
    object_id text,
    refs text[] NOT NULL,
    application_id uuid,
    application text,
    organization_id uuid,
    state text NOT NULL CHECK (state IN ('unknown', 'waiting', 'delivered', 'dead')),
    attempts int NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    last_outcome text,
    received_at timestamptz NOT NULL DEFAULT now(),
    delivered_at timestamptz,
    UNIQUE (credential_id, event_id),
    CHECK (state = 'unknown' OR (application_id IS NOT NULL AND organization_id IS NOT NULL))
  );
  CREATE INDEX payment_event_due ON gateway.payment_event (application, due_at) WHERE state = 'waiting';
  CREATE INDEX payment_event_unknown ON gateway.payment_event (received_at) WHERE state = 'unknown';
  CREATE INDEX payment_event_dead ON gateway.payment_event (id) WHERE state = 'dead';
  CREATE INDEX payment_event_turns ON gateway.payment_event (application, organization_id, due_at) WHERE state = 'waiting';
  CREATE INDEX payment_event_ownerless ON gateway.payment_event (id) WHERE state = 'unknown';
  CREATE INDEX payment_event_unknown_refs ON gateway.payment_event USING gin (refs) WHERE state = 'unknown';
  CREATE INDEX payment_event_dead_old ON gateway.payment_event (received_at) WHERE state = 'dead';
  CREATE INDEX payment_event_old ON gateway.payment_event (received_at) WHERE state IN ('delivered', 'unknown');
  COMMENT ON TABLE gateway.payment_event IS
    'events of the payment provider, without their contents: the state of an object is read from the provider'`;
