import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
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
  finished_at timestamptz
);
CREATE UNIQUE INDEX payment_operation_caller_key
  ON gateway.payment_operation (application_id, organization_id, caller_key) WHERE caller_key IS NOT NULL;
CREATE INDEX payment_operation_due ON gateway.payment_operation (due_at) WHERE state IN ('running', 'unknown');
CREATE INDEX payment_operation_created ON gateway.payment_operation (created_at);
COMMENT ON COLUMN gateway.payment_operation.request IS
  'parameters for the provider, needed to repeat the call with the same key; removed when the operation ends';
COMMENT ON COLUMN gateway.payment_operation.due_at IS
  'running: until when its process may call the provider; unknown: when the call is repeated';
COMMENT ON COLUMN gateway.payment_operation.attempts IS 'fencing: only the last attempt stores an outcome';
CREATE TABLE gateway.payment_object (
  id text PRIMARY KEY,
  credential_id uuid NOT NULL,
  application_id uuid NOT NULL,
  application text NOT NULL,
  organization_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE gateway.payment_object IS
  'to which organization and application an object of the payment provider belongs; others get 404';
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
COMMENT ON TABLE gateway.payment_event IS
  'events of the payment provider, without their contents: the state of an object is read from the provider';
`;

/** Operations at the payment provider, owners of its objects, and its events. */
export class Payments1790000000367 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway.payment_event, gateway.payment_object, gateway.payment_operation');
  }
}
